import { type EventData, type EventRecord, importFinished, repositoryPushed } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Routes } from '../../namespace/routes';
import { KnownRepository } from '../known-repository';
import { Projects } from '../project.repository';

/**
 * Updates the repository facts of a project after pushes. Events may come twice and in any order, so each one reads the
 * current state.
 */
@Injectable()
export class FollowPushes {
  constructor(
    private readonly projects: Projects,
    private readonly routes: Routes,
    private readonly repository: KnownRepository,
  ) {}

  @OnEvent(repositoryPushed, 'FollowPushes-pushed')
  async pushed({ data, occurredAt }: EventRecord<EventData<typeof repositoryPushed>>): Promise<void> {
    await this.projects.model.updateOne({ _id: data.project_id }, { $max: { lastActivityAt: new Date(occurredAt) } });
    await this.repository.take(data.project_id);
  }

  @OnEvent(importFinished, 'FollowPushes-imported')
  async imported({ data }: EventRecord<EventData<typeof importFinished>>): Promise<void> {
    const importStatus = data.error === null ? 'finished' : 'failed';
    const { missing_objects: message } = data;
    const importGaps = message === undefined ? [] : [{ relation: 'lfs_objects', message }];
    const set = { importStatus, importError: data.error, importGaps } as const;
    const { matchedCount } = await this.projects.model.updateOne({ _id: data.project_id }, { $set: set });
    // An import may end before its project is written; the event is retried.
    if (matchedCount === 0 && (await this.routes.isClaimed('project', data.project_id))) {
      throw new Error(`project ${data.project_id} is not written yet`);
    }
    await this.repository.take(data.project_id);
  }
}
