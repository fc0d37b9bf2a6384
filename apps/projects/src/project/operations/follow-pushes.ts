import {
  Access,
  type EventData,
  type EventRecord,
  importFinished,
  type OutputOf,
  projectChanged,
  repositoryPushed,
  repositoryState,
} from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Routes } from '../../namespace/routes';
import { Projects } from '../project.repository';
import type { ProjectDocument } from '../project.schema';
import { projectRefOf } from '../project-ref';

/** Keeps what a project shows of its repository. Events come twice and in any order: each asks how it is now. */
@Injectable()
export class FollowPushes {
  constructor(
    private readonly projects: Projects,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
    private readonly client: OperationClient,
  ) {}

  @OnEvent(repositoryPushed, 'FollowPushes-pushed')
  async pushed({ data, occurredAt }: EventRecord<EventData<typeof repositoryPushed>>): Promise<void> {
    await this.projects.model.updateOne({ _id: data.project_id }, { $max: { lastActivityAt: new Date(occurredAt) } });
    await this.take(data.project_id);
  }

  @OnEvent(importFinished, 'FollowPushes-imported')
  async imported({ data }: EventRecord<EventData<typeof importFinished>>): Promise<void> {
    const importStatus = data.error === null ? 'finished' : 'failed';
    const set = { importStatus, importError: data.error } as const;
    const { matchedCount } = await this.projects.model.updateOne({ _id: data.project_id }, { $set: set });
    // An import can end before the project it is for is written; the event comes again.
    if (matchedCount === 0 && (await this.routes.isClaimed('project', data.project_id))) {
      throw new Error(`project ${data.project_id} is not written yet`);
    }
    await this.take(data.project_id);
  }

  /**
   * Written until it is what the repository says after it was written: another event may be taken at the same time, and
   * what was asked first may be written last.
   */
  private async take(projectId: number): Promise<void> {
    for (;;) {
      const project = await this.projects.model.findById(projectId).lean();
      if (!project) return;
      const context = { project: projectRefOf(project, Access.Owner) };
      const state = await this.client.call(repositoryState, { project_id: projectId }, context);
      if (!(await this.write(project, state))) return;
    }
  }

  /** Only what others keep of the project is worth an event; most pushes change none of it. @returns whether it changed */
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
