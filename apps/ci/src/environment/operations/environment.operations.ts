import {
  type Caller,
  type ContextOf,
  createEnvironment,
  deleteEnvironment,
  deleteReviewApps,
  environmentErrors,
  getEnvironment,
  listEnvironments,
  type ParsedOf,
  type ProjectRef,
  stopEnvironment,
  stopStaleEnvironments,
  updateEnvironment,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireActive } from '../../pipeline/pipeline-rules';
import { DeployRights, type DeployTarget } from '../deploy-rights';
import { Deployments } from '../deployment.repository';
import { Environments } from '../environment.repository';
import type { EnvironmentRecord } from '../environment.schema';
import { viewEnvironment } from '../environment.view';
import { DeploymentViews } from './deployment.view';
import { StopEnvironment } from './stop-environment';

type Target = ContextOf<typeof createEnvironment>;

const dayMs = 24 * 60 * 60 * 1000;
const mostStopped = 1000;

@Controller()
export class EnvironmentOperations {
  constructor(
    private readonly environments: Environments,
    private readonly deployments: Deployments,
    private readonly rights: DeployRights,
    private readonly stopping: StopEnvironment,
    private readonly views: DeploymentViews,
  ) {}

  @Handles(listEnvironments)
  async list({ project }: Target, input: ParsedOf<typeof listEnvironments>) {
    const { items, ...rest } = await this.environments.page(project.id, input);
    return { ...rest, items: items.map(viewEnvironment) };
  }

  @Handles(getEnvironment)
  async get({ project }: Target, { environment_id }: ParsedOf<typeof getEnvironment>) {
    return this.detail(await this.environments.get(project.id, environment_id), project);
  }

  @Handles(createEnvironment)
  async create({ project }: Target, input: ParsedOf<typeof createEnvironment>) {
    requireActive(project);
    return this.detail(await this.environments.add(project.id, input.name, factsOf(input)), project);
  }

  @Handles(updateEnvironment)
  async update({ project, caller }: Target, input: ParsedOf<typeof updateEnvironment>) {
    requireActive(project);
    if (input.tier !== undefined) await this.requireRightToTier(input.environment_id, input.tier, project, caller);
    const facts = factsOf(input);
    const isChange = Object.keys(facts).length > 0;
    const changed = isChange
      ? await this.environments.change(project.id, input.environment_id, facts)
      : await this.environments.get(project.id, input.environment_id);
    return this.detail(changed, project);
  }

  @Handles(stopEnvironment)
  async stop({ project, caller }: Target, { environment_id, force }: ParsedOf<typeof stopEnvironment>) {
    requireActive(project);
    const environment = await this.environments.get(project.id, environment_id);
    await this.requireRight(environment, project, caller);
    const isStopped = environment.state === 'stopped';
    const after = isStopped ? environment : await this.stopping.stop(environment, caller.id, { force });
    return this.detail(after, project);
  }

  @Handles(deleteEnvironment)
  async delete({ project, caller }: Target, { environment_id }: ParsedOf<typeof deleteEnvironment>): Promise<void> {
    requireActive(project);
    const environment = await this.environments.get(project.id, environment_id);
    await this.requireRight(environment, project, caller);
    if (!(await this.remove(environment))) throw environmentErrors.notStopped();
  }

  @Handles(stopStaleEnvironments)
  async stopStale({ project, caller }: Target, input: ParsedOf<typeof stopStaleEnvironments>) {
    requireActive(project);
    const before = new Date(input.before);
    const days = (Date.now() - before.getTime()) / dayMs;
    if (days < 7 || days > 3660) throw environmentErrors.invalidDate();
    for (const environment of await this.environments.stale(project.id, before, mostStopped)) {
      if (await this.mayDeploy(environment, project, caller)) await this.stopping.stop(environment, caller.id);
    }
    return { message: 'Successfully requested stop for all stale environments' };
  }

  @Handles(deleteReviewApps)
  async deleteReviewApps({ project, caller }: Target, input: ParsedOf<typeof deleteReviewApps>) {
    requireActive(project);
    const before = input.before === undefined ? new Date(Date.now() - 30 * dayMs) : new Date(input.before);
    const found = await this.environments.stoppedReviewApps(project.id, before, input.limit);
    const entries = { scheduled_entries: [] as ReviewApp[], unprocessable_entries: [] as ReviewApp[] };
    for (const environment of found) {
      const mayBe = await this.mayDeploy(environment, project, caller);
      const isDone = mayBe && (input.dry_run || (await this.remove(environment)));
      entries[isDone ? 'scheduled_entries' : 'unprocessable_entries'].push(viewReviewApp(environment));
    }
    return entries;
  }

  /**
   * Its deployments last: without the environment they are hidden, and deleted with the project. @returns false if it
   * is not stopped
   */
  private async remove({ _id }: EnvironmentRecord): Promise<boolean> {
    if (!(await this.environments.removeStopped(_id))) return false;
    await this.deployments.removeOfEnvironment(_id);
    return true;
  }

  /** Only users who may deploy to a protected tier may move an environment into or out of it. */
  private async requireRightToTier(id: number, tier: string, project: ProjectRef, caller: Caller): Promise<void> {
    const environment = await this.environments.get(project.id, id);
    if (environment.tier !== tier) await this.requireRight({ name: environment.name, tier }, project, caller);
  }

  private requireRight(environment: DeployTarget, project: ProjectRef, caller: Caller): Promise<void> {
    return this.rights.require(project, environment, { ...caller, accessLevel: project.accessLevel });
  }

  private mayDeploy(environment: DeployTarget, project: ProjectRef, caller: Caller): Promise<boolean> {
    return this.rights.may(project, environment, { ...caller, accessLevel: project.accessLevel });
  }

  private async detail(environment: EnvironmentRecord, project: ProjectRef) {
    const { lastDeploymentId } = environment;
    const last = lastDeploymentId === undefined ? null : await this.deployments.find(lastDeploymentId);
    const last_deployment = last && (await this.views.one(last, project));
    return { ...viewEnvironment(environment), last_deployment };
  }
}

type Given = Pick<ParsedOf<typeof updateEnvironment>, 'external_url' | 'tier' | 'description' | 'auto_stop_setting'>;

const factsOf = ({ external_url, tier, description, auto_stop_setting }: Given) => ({
  ...(external_url !== undefined && { externalUrl: external_url || null }),
  ...(tier !== undefined && { tier }),
  ...(description !== undefined && { description }),
  ...(auto_stop_setting !== undefined && { autoStopSetting: auto_stop_setting }),
});

type ReviewApp = ReturnType<typeof viewReviewApp>;
const viewReviewApp = ({ _id, name, slug, externalUrl }: EnvironmentRecord) => ({
  id: _id,
  name,
  slug,
  external_url: externalUrl,
});
