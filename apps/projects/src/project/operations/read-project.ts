import { type ContextOf, getProject, type ParsedOf, type Project } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Projects } from '../project.repository';
import { ProjectViews } from '../project.view';
import { ProjectStatisticsReader } from '../project-statistics';

@Controller()
export class ReadProject {
  constructor(
    private readonly projects: Projects,
    private readonly views: ProjectViews,
    private readonly statistics: ProjectStatisticsReader,
  ) {}

  @Handles(getProject)
  async handle(
    { project: { id }, caller, requestId }: ContextOf<typeof getProject>,
    input: ParsedOf<typeof getProject>,
  ): Promise<Project> {
    const project = await this.projects.get(id);
    const view = await this.views.one(project, caller);
    if (!input.statistics || !caller) return view;
    const [withStatistics] = await this.statistics.addTo([view], [project], caller, requestId);
    return withStatistics ?? view;
  }
}
