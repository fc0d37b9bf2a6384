import { Access, type OutputOf, projectChanged, repositoryState } from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Projects } from './project.repository';
import type { ProjectDocument } from './project.schema';
import { projectRefOf } from './project-ref';

/** Facts of the repository that a project stores. */
@Injectable()
export class KnownRepository {
  constructor(
    private readonly projects: Projects,
    private readonly outbox: Outbox,
    private readonly client: OperationClient,
  ) {}

  /**
   * Repeats until the stored facts equal what the repository reports after the write: events may run concurrently, and
   * an older answer may be written last.
   */
  async take(projectId: number): Promise<void> {
    for (;;) {
      const project = await this.projects.model.findById(projectId).lean();
      if (!project) return;
      const context = { project: projectRefOf(project, Access.Owner) };
      const state = await this.client.call(repositoryState, { project_id: projectId }, context);
      if (!(await this.write(project, state))) return;
    }
  }

  /**
   * Publishes an event only for facts that other services store; most pushes change none of them. @returns whether it
   * changed
   */
  private async write(project: ProjectDocument, state: OutputOf<typeof repositoryState>): Promise<boolean> {
    const found = { defaultBranch: state.default_branch, isEmptyRepo: state.is_empty, readmePath: state.readme_path };
    const isKnown = project.defaultBranch === found.defaultBranch && project.isEmptyRepo === found.isEmptyRepo;
    if (isKnown && project.readmePath === found.readmePath) return false;
    const data = { project_id: project._id, full_path: project.fullPath, change: 'updated' } as const;
    const events = isKnown ? [] : [newEvent(projectChanged, data)];
    await this.outbox.update(this.projects.model, { _id: project._id }, { $set: found }, ...events);
    return true;
  }
}
