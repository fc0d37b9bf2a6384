import { type ContextOf, deleteProject, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Projects } from '../project.repository';
import { RemoveProject } from '../remove-project';

@Controller()
export class DeleteProject {
  constructor(
    private readonly projects: Projects,
    private readonly removal: RemoveProject,
  ) {}

  @Handles(deleteProject)
  async handle({ project, caller }: ContextOf<typeof deleteProject>, _: ParsedOf<typeof deleteProject>) {
    await this.removal.one(await this.projects.get(project.id), caller.id);
    return { message: '202 Accepted' };
  }
}
