import { type ContextOf, getProject, type ParsedOf, type Project, present } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { showAttributes } from '../../custom-attribute/custom-attributes';
import { ProjectViews } from '../project.view';
import { ProjectStatisticsReader } from '../project-statistics';

@Controller()
export class ReadProject {
  constructor(
    private readonly views: ProjectViews,
    private readonly statistics: ProjectStatisticsReader,
  ) {}

  @Handles(getProject)
  async handle(
    { project: found, caller, requestId }: ContextOf<typeof getProject>,
    input: ParsedOf<typeof getProject>,
  ): Promise<Project> {
    const { project, view } = await this.views.read(found, caller);
    const isShown = input.with_custom_attributes && caller?.isAdmin === true;
    const views = showAttributes([view], [project], isShown);
    const shown = input.statistics && caller ? await this.statistics.addTo(views, [project], caller, requestId) : views;
    return present(shown[0], 'the view');
  }
}
