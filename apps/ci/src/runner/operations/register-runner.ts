import {
  Access,
  type ContextOf,
  createRunner,
  forbidden,
  invalidParameters,
  type ParsedOf,
  registerRunner,
  resetInstanceRegistrationToken,
  resetProjectRegistrationToken,
  unregisterRunner,
  verifyRunner,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
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
  ) {}

  @Handles(registerRunner)
  async register(_context: ContextOf<typeof registerRunner>, { token, ...given }: ParsedOf<typeof registerRunner>) {
    const { projectId } = await this.runners.registrationOf(token);
    const runner = runnerChanges(given);
    requireUseful(runner);
    return { ...(await this.runners.add({ ...runner, projectId })), ...forever };
  }

  @Handles(createRunner)
  async create({ caller }: ContextOf<typeof createRunner>, input: ParsedOf<typeof createRunner>) {
    const { runner_type, project_id, ...given } = input;
    const runner = runnerChanges(given);
    requireUseful(runner);
    if (runner_type === 'instance_type') {
      if (!caller.isAdmin) throw forbidden();
      return { ...(await this.runners.addCreated({ ...runner, creatorId: caller.id })), ...forever };
    }
    if (project_id === undefined) throw invalidParameters('project_id is missing');
    const project = await this.projects.get(project_id, caller);
    if (project.accessLevel < Access.Maintainer) throw forbidden();
    return {
      ...(await this.runners.addCreated({ ...runner, projectId: project_id, creatorId: caller.id })),
      ...forever,
    };
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
