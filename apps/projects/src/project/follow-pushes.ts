import {
  type EventData,
  type EventRecord,
  importFinished,
  projectChanged,
  repositoryPushed,
} from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Routes } from '../namespace/routes';
import { Projects } from './project.repository';

interface RepositoryState {
  default_branch: string | null;
  is_empty: boolean;
  readme_path: string | null;
}

/** Keeps what a project shows of its repository as pushes and imports leave it. */
@Injectable()
export class FollowPushes {
  constructor(
    private readonly projects: Projects,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
  ) {}

  @OnEvent(repositoryPushed, 'FollowPushes-pushed')
  async pushed({ data, occurredAt }: EventRecord<EventData<typeof repositoryPushed>>): Promise<void> {
    await this.projects.model.updateOne({ _id: data.project_id }, { $max: { lastActivityAt: new Date(occurredAt) } });
    await this.take(data.project_id, data);
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
    await this.take(data.project_id, data);
  }

  /** Only what others keep of the project is worth an event; most pushes change none of it. */
  private async take(projectId: number, state: RepositoryState): Promise<void> {
    const found = { defaultBranch: state.default_branch, isEmptyRepo: state.is_empty, readmePath: state.readme_path };
    const project = await this.projects.model.findById(projectId).lean();
    if (!project) return;
    const isKnown = project.defaultBranch === found.defaultBranch && project.isEmptyRepo === found.isEmptyRepo;
    if (isKnown && project.readmePath === found.readmePath) return;
    const data = { project_id: projectId, full_path: project.fullPath, change: 'updated' } as const;
    const events = isKnown ? [] : [newEvent(projectChanged, data)];
    await this.outbox.update(this.projects.model, { _id: projectId }, { $set: found }, ...events);
  }
}
