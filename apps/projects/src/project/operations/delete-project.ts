import { type ContextOf, deleteProject, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { RemoveProject } from '../remove-project';

@Controller()
export class DeleteProject {
  constructor(private readonly removal: RemoveProject) {}

  @Handles(deleteProject)
  async handle({ project }: ContextOf<typeof deleteProject>, _: ParsedOf<typeof deleteProject>) {
    await this.removal.one({ _id: project.id, fullPath: project.fullPath, storage: project.storage });
    return { message: '202 Accepted' };
  }
}
