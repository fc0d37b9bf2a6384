import { type EventData, type EventRecord, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { RemoveActivity } from '../activity/remove-activity';
import { NotedCommits } from './noted-commit.repository';

const idsPerStep = 1000;

/** Removes the commit records of deleted projects. */
@Injectable()
export class CommitsFollowDeletions {
  constructor(
    private readonly commits: NotedCommits,
    private readonly activity: RemoveActivity,
  ) {}

  @OnEvent(projectDeleted, 'CommitsFollowDeletions-ofProject')
  async removeOfProject({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.removeProject(data.project_id);
  }

  /**
   * Also after a late write that the deletion missed. Notes go first, so that a repeat after an interruption still
   * finds them.
   */
  async removeProject(projectId: number): Promise<void> {
    const { model } = this.commits;
    for (;;) {
      const found = await model.find({ projectId }, { _id: 1 }).limit(idsPerStep).lean<{ _id: number }[]>();
      if (found.length === 0) return;
      const ids = found.map(({ _id }) => _id);
      await this.activity.removeFrom('Commit', ids);
      await model.deleteMany({ _id: { $in: ids } });
    }
  }
}
