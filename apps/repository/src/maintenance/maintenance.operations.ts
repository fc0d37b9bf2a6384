import { type ContextOf, maintainRepository, type ParsedOf, repositoryLocation } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Storages } from '../storage/storages';
import { MaintainRepositories } from './maintain-repositories';

/** Reports the location of a repository, and starts maintenance on request. */
@Controller()
export class MaintenanceOperations {
  constructor(
    private readonly maintenance: MaintainRepositories,
    private readonly storages: Storages,
  ) {}

  @Handles(maintainRepository)
  async maintain(
    { project }: ContextOf<typeof maintainRepository>,
    { project_id }: ParsedOf<typeof maintainRepository>,
  ): Promise<void> {
    await this.maintenance.start({ projectId: project_id, storage: project.storage });
  }

  @Handles(repositoryLocation)
  async location(
    { project }: ContextOf<typeof repositoryLocation>,
    { project_id }: ParsedOf<typeof repositoryLocation>,
  ) {
    const { engine } = this.storages.locate({ id: project_id, storage: project.storage });
    return { disk_path: engine.storage.relativePath(project_id).replace(/\.git$/, '') };
  }
}
