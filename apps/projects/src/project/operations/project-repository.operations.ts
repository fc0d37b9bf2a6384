import {
  Access,
  type ContextOf,
  getProjectStorage,
  housekeepProject,
  maintainRepository,
  type ParsedOf,
  repositoryLocation,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Projects } from '../project.repository';
import { projectRefOf } from '../project-ref';

/** Repository administration for administrators and maintainers. */
@Controller()
export class ProjectRepositoryOperations {
  constructor(
    private readonly projects: Projects,
    private readonly client: OperationClient,
  ) {}

  @Handles(housekeepProject)
  async housekeep(
    { project, requestId }: ContextOf<typeof housekeepProject>,
    _: ParsedOf<typeof housekeepProject>,
  ): Promise<{ message: string }> {
    await this.client.call(maintainRepository, { project_id: project.id }, { project, requestId });
    return { message: '201 Created' };
  }

  @Handles(getProjectStorage)
  async storage({ requestId }: ContextOf<typeof getProjectStorage>, { id }: ParsedOf<typeof getProjectStorage>) {
    const { project } = await this.projects.resolve(id);
    const context = { project: projectRefOf(project, Access.Owner), requestId };
    const { disk_path } = await this.client.call(repositoryLocation, { project_id: project._id }, context);
    return {
      project_id: project._id,
      disk_path,
      created_at: project.createdAt.toISOString(),
      repository_storage: project.storage,
    };
  }
}
