import {
  archiveProject,
  type Caller,
  type ContextOf,
  type ParsedOf,
  type Project,
  type ProjectRef,
  projectChanged,
  projectErrors,
  unarchiveProject,
} from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Projects } from '../project.repository';
import { ProjectViews } from '../project.view';

/** Archives a project, which makes it read-only, or reverts that. */
@Controller()
export class ArchiveProject {
  constructor(
    private readonly projects: Projects,
    private readonly outbox: Outbox,
    private readonly views: ProjectViews,
  ) {}

  @Handles(archiveProject)
  async archive({ project, caller }: ContextOf<typeof archiveProject>, _: ParsedOf<typeof archiveProject>) {
    return this.set(project, caller, true);
  }

  @Handles(unarchiveProject)
  async unarchive({ project, caller }: ContextOf<typeof unarchiveProject>, _: ParsedOf<typeof unarchiveProject>) {
    return this.set(project, caller, false);
  }

  private async set({ id, fullPath }: ProjectRef, caller: Caller, isArchived: boolean): Promise<Project> {
    const what = { project_id: id, full_path: fullPath, change: 'updated' } as const;
    const event = newEvent(projectChanged, { ...what, actor_id: caller.id });
    const project = await this.outbox.update(this.projects.model, { _id: id }, { $set: { isArchived } }, event);
    if (!project) throw projectErrors.notFound();
    return this.views.one(project, caller);
  }
}
