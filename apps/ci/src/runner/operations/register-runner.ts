import {
  Access,
  type ContextOf,
  createRunner,
  forbidden,
  invalidParameters,
  type ParsedOf,
  reaches,
  registerRunner,
  resetInstanceRegistrationToken,
  resetProjectRegistrationToken,
  unregisterRunner,
  verifyRunner,
} from '@moothall/contracts';
import { Handles, KnownPlanLimits } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Runners } from '../runner.repository';
import { RunnerProjects } from '../runner-projects';
import { requireUseful, runnerChanges } from '../runner-rules';

const forever = { token_expires_at: null };

@Controller()
export class RegisterRunner {
  constructor(
    private readonly runners: Runners,
    private readonly projects: RunnerProjects,
    private readonly limits: KnownPlanLimits,
  ) {}

  @Handles(registerRunner)
  async register(_context: ContextOf<typeof registerRunner>, { token, ...given }: ParsedOf<typeof registerRunner>) {
    const { projectId } = await this.runners.registrationOf(token);
    const runner = runnerChanges(given);
    requireUseful(runner);
    return { ...(await this.runners.add({ ...runner, projectId }, await this.most())), ...forever };
  }

  @Handles(createRunner)
  async create({ caller }: ContextOf<typeof createRunner>, input: ParsedOf<typeof createRunner>) {
    const { runner_type, project_id, ...given } = input;
    const runner = runnerChanges(given);
    requireUseful(runner);
    if (runner_type === 'instance_type') {
      if (!caller.isAdmin) throw forbidden();
      return this.addCreated({ ...runner, projectId: null, creatorId: caller.id });
    }
    if (project_id === undefined) throw invalidParameters('project_id is missing');
    const project = await this.projects.get(project_id, caller);
    if (!reaches(project, Access.Maintainer, 'admin_runners')) throw forbidden();
    return this.addCreated({ ...runner, projectId: project_id, creatorId: caller.id });
  }

  private async addCreated(runner: Parameters<Runners['addCreated']>[0]) {
    return { ...(await this.runners.addCreated(runner, await this.most())), ...forever };
  }

  private most(): Promise<number> {
    return this.limits.most('ci_registered_project_runners');
  }

  @Handles(verifyRunner)
  async verify(_context: ContextOf<typeof verifyRunner>, { token }: ParsedOf<typeof verifyRunner>) {
    const { _id } = await this.runners.getByToken(token);
    return { id: _id, token, ...forever };
  }

  @Handles(unregisterRunner)
  async unregister(
    _context: ContextOf<typeof unregisterRunner>,
    { token }: ParsedOf<typeof unregisterRunner>,
  ): Promise<void> {
    const { _id } = await this.runners.getByToken(token);
    await this.runners.remove(_id);
  }

  @Handles(resetInstanceRegistrationToken)
  async resetInstance() {
    return { token: await this.runners.resetRegistration(null), ...forever };
  }

  @Handles(resetProjectRegistrationToken)
  async resetProject({ project }: ContextOf<typeof resetProjectRegistrationToken>) {
    return { token: await this.runners.resetRegistration(project.id), ...forever };
  }
}
