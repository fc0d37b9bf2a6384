import {
  type Caller,
  type ContextOf,
  ciSource,
  contentErrors,
  createDeployment,
  deleteDeployment,
  deploymentErrors,
  deploymentStatuses,
  getCommit,
  getDeployment,
  invalidRecord,
  isError,
  listDeployedMergeRequests,
  listDeployments,
  mergeRequestsOfCommits,
  type ParsedOf,
  type ProjectRef,
  updateDeployment,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { requireActive } from '../../pipeline/pipeline-rules';
import { pipelineFilePath } from '../../pipeline/predefined-variables';
import { DeployRights } from '../deploy-rights';
import { Deployments } from '../deployment.repository';
import { Environments } from '../environment.repository';
import { DeploymentViews } from './deployment.view';
import { SettleDeployment, unfinished } from './settle-deployment';

type Target = ContextOf<typeof createDeployment>;
type Asked = ParsedOf<typeof createDeployment>;

@Controller()
export class DeploymentOperations {
  constructor(
    private readonly environments: Environments,
    private readonly deployments: Deployments,
    private readonly settling: SettleDeployment,
    private readonly rights: DeployRights,
    private readonly views: DeploymentViews,
    private readonly client: OperationClient,
  ) {}

  @Handles(listDeployments)
  async list({ project }: Target, input: ParsedOf<typeof listDeployments>) {
    const { environment: name } = input;
    const environment = name === undefined ? undefined : await this.environments.find(project.id, name);
    if (environment === null) return { items: [], total: 0 };
    const { items, ...rest } = await this.deployments.page(project.id, environment?._id, input);
    return { ...rest, items: await this.views.many(items, project) };
  }

  @Handles(getDeployment)
  async get({ project }: Target, { deployment_id }: ParsedOf<typeof getDeployment>) {
    return this.views.one(await this.deployments.get(project.id, deployment_id), project);
  }

  @Handles(createDeployment)
  async create({ project, caller }: Target, input: Asked) {
    requireActive(project);
    await this.rights.require(project, { name: input.environment }, { ...caller, accessLevel: project.accessLevel });
    const sha = await this.commitOf(project, caller, input);
    const environment = await this.environments.ensure(project.id, input.environment);
    const isOver = !unfinished.includes(input.status);
    const deployment = await this.deployments.add(environment, {
      ...{ ref: input.ref, isTag: input.tag, sha, userId: caller.id, status: input.status },
      finishedAt: isOver ? new Date() : null,
    });
    const said = { status: input.status, at: deployment.finishedAt ?? new Date(), from: [] };
    return this.views.one(await this.settling.settle(deployment, environment, said), project);
  }

  @Handles(updateDeployment)
  async update({ project, caller }: Target, { deployment_id, status }: ParsedOf<typeof updateDeployment>) {
    requireActive(project);
    const deployment = await this.deployments.get(project.id, deployment_id);
    const environment = (await this.environments.byIds([deployment.environmentId])).get(deployment.environmentId);
    if (!environment) throw deploymentErrors.notFound();
    await this.rights.require(project, environment, { ...caller, accessLevel: project.accessLevel });
    if (status === undefined) return this.views.one(deployment, project);
    const said = { status, at: new Date(), from: deploymentStatuses };
    return this.views.one(await this.settling.settle(deployment, environment, said), project);
  }

  @Handles(deleteDeployment)
  async delete({ project }: Target, { deployment_id }: ParsedOf<typeof deleteDeployment>): Promise<void> {
    requireActive(project);
    const { _id, status, environmentId } = await this.deployments.get(project.id, deployment_id);
    if (unfinished.includes(status)) throw deploymentErrors.running();
    const environment = (await this.environments.byIds([environmentId])).get(environmentId);
    if (environment?.lastDeploymentId === _id) throw deploymentErrors.current();
    await this.deployments.remove(_id);
  }

  @Handles(listDeployedMergeRequests)
  async mergeRequests(
    { project, caller }: Target,
    { deployment_id, page, per_page }: ParsedOf<typeof listDeployedMergeRequests>,
  ) {
    const deployment = await this.deployments.get(project.id, deployment_id);
    const before = await this.deployments.before(deployment);
    const range = { sha: deployment.sha, ...(before && { without: before.sha }) };
    return this.client.call(mergeRequestsOfCommits, { ...range, page, per_page }, { project, caller });
  }

  /** The full commit id. @throws common.invalid_record for a missing commit, branch or tag */
  private async commitOf(project: ProjectRef, caller: Caller, { id, sha, ref, tag }: Asked): Promise<string> {
    const commit = await this.client
      .call(getCommit, { id, sha, stats: false }, { project, caller })
      .catch((error: unknown) => {
        if (isError(error, contentErrors.commitNotFound)) return null;
        throw error;
      });
    const ref_type = tag ? ('tag' as const) : ('branch' as const);
    const place = { ref, ref_type, path: pipelineFilePath(project), max_bytes: 1 };
    const source = await this.client.call(ciSource, { ...place, is_admin: caller.isAdmin }, { project });
    const problems = {
      ...(!commit && { sha: ['The commit does not exist'] }),
      ...(!source && { ref: ['The branch or tag does not exist'] }),
    };
    if (!commit || !source) throw invalidRecord(problems);
    return commit.id;
  }
}
