import { type ContextOf, getProject, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Projects } from './project.repository';
import { ProjectViews } from './project.view';

@Controller()
export class ReadProject {
  constructor(
    private readonly projects: Projects,
    private readonly views: ProjectViews,
  ) {}

  @Handles(getProject)
  async handle({ project, caller }: ContextOf<typeof getProject>, _: ParsedOf<typeof getProject>) {
    return this.views.one(await this.projects.get(project.id), caller);
  }
}
