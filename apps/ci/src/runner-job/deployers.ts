import type { ProjectRef } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { DeployRights } from '../environment/deploy-rights';
import type { Job } from '../pipeline/pipeline.schema';
import { RunnerProjects } from '../runner/runner-projects';

/** Whether the users of jobs may deploy to their environments. See docs/api/deployments.md#5. */
@Injectable()
export class Deployers {
  constructor(
    private readonly users: UserDirectory,
    private readonly projects: RunnerProjects,
    private readonly rights: DeployRights,
  ) {}

  /** @param at the project without a caller */
  async may({ environment, userId }: Pick<Job, 'environment' | 'userId'>, at: ProjectRef): Promise<boolean> {
    if (!environment || !(await this.rights.isProtected(at, environment))) return true;
    const user = userId === null ? undefined : (await this.users.records([userId])).get(userId);
    if (!user) return false;
    const caller = { id: user.id, isAdmin: user.is_admin, isExternal: user.is_external };
    const project = await this.projects.find(at.id, caller);
    if (!project) return false;
    return this.rights.may(project, environment, { ...caller, accessLevel: project.accessLevel });
  }
}
