import { type EventData, type EventRecord, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import type { Awardable } from '../activity/awardable';
import type { DraftNoteDocument } from '../activity/draft-note.schema';
import { resourceEventModels } from '../activity/resource-event.schema';
import type { BoardDocument } from '../board/board.schema';
import { replaceInLists } from '../board/board-references';
import type { EpicDocument } from '../epic/epic.schema';
import { RemoveEpics } from '../epic/remove-epics';
import type { Issuable } from '../issuable/issuable';
import type { IssueDocument } from '../issue/issue.schema';
import { RemoveIssues } from '../issue/remove-issues';
import type { MergeRequestDocument } from '../merge-request/record/merge-request.schema';
import { RemoveMergeRequests } from '../merge-request/write/remove-merge-requests';
import { Notes } from '../note/note.repository';

const recordsPerStep = 100;

/** Issues, merge requests and epics; the model name equals the noteable type of their notes. */
const issuableTypes = ['Issue', 'MergeRequest', 'Epic'] as const;

/**
 * Assigns a deleted user's records to the ghost user, or removes them. Each step is idempotent. See
 * docs/api/users.md#5.
 */
@Injectable()
export class FollowUserDeletions {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel('Board') private readonly boards: Model<BoardDocument>,
    @InjectModel('DraftNote') private readonly drafts: Model<DraftNoteDocument>,
    private readonly notes: Notes,
    private readonly removeIssues: RemoveIssues,
    private readonly removeMergeRequests: RemoveMergeRequests,
    private readonly removeEpics: RemoveEpics,
  ) {}

  @OnEvent(userDeleted, 'FollowUserDeletions-handle')
  async handle({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    const { user_id, ghost_user_id, hard_delete } = data;
    await (hard_delete ? this.removeWritten(user_id, ghost_user_id) : this.handOver(user_id, ghost_user_id));
    for (const { name } of resourceEventModels) {
      await this.connection.model(name).updateMany({ userId: user_id }, { $set: { userId: ghost_user_id } });
    }
    await this.notes.model.updateMany({ resolvedById: user_id }, { $set: { resolvedById: ghost_user_id } });
    // Only the author could see them.
    await this.drafts.deleteMany({ authorId: user_id });
    await replaceInLists(this.boards.collection, {}, 'assigneeId', [user_id], null);
    await this.boards.updateMany({ assigneeId: user_id }, { $set: { assigneeId: null } });
    for (const [type, model] of this.listIssuables()) {
      // Epics have none.
      if (type === 'Epic') continue;
      await model.updateMany({ assigneeIds: user_id }, { $pull: { assigneeIds: user_id }, $inc: { revision: 1 } });
    }
  }

  private async handOver(from: number, to: number): Promise<void> {
    for (const [, model] of this.listIssuables()) {
      await model.updateMany({ authorId: from }, { $set: { authorId: to }, $inc: { revision: 1 } });
    }
    await this.notes.model.updateMany({ authorId: from }, { $set: { authorId: to } }, { timestamps: false });
    for (const model of this.listAwardables()) {
      await model.updateMany(
        { 'awards.userId': from },
        { $set: { 'awards.$[own].userId': to } },
        { arrayFilters: [{ 'own.userId': from }], timestamps: false },
      );
    }
  }

  private async removeWritten(userId: number, ghostId: number): Promise<void> {
    await this.removeEach<IssueDocument>('Issue', userId, (issue) => this.removeIssues.remove(issue, ghostId));
    await this.removeEach<MergeRequestDocument>('MergeRequest', userId, (one) =>
      this.removeMergeRequests.remove(one, ghostId),
    );
    await this.removeEach<EpicDocument>('Epic', userId, (epic) => this.removeEpics.remove(epic));
    await this.notes.removeAllOf(userId);
    for (const model of this.listAwardables()) {
      await model.updateMany({ 'awards.userId': userId }, { $pull: { awards: { userId } } }, { timestamps: false });
    }
  }

  /** One by one with their events, because other services store counts. */
  private async removeEach<T>(type: string, authorId: number, remove: (document: T) => Promise<void>): Promise<void> {
    const model = this.connection.models[type];
    if (!model) return;
    for (;;) {
      const some = await model.find({ authorId }).limit(recordsPerStep).lean<T[]>();
      if (some.length === 0) return;
      for (const document of some) await remove(document);
    }
  }

  private listIssuables(): [(typeof issuableTypes)[number], Model<Issuable>][] {
    return issuableTypes.flatMap((type) => {
      const model = this.connection.models[type] as Model<Issuable> | undefined;
      return model ? [[type, model]] : [];
    });
  }

  private listAwardables(): Model<Awardable>[] {
    const models = Object.values(this.connection.models) as unknown as Model<Awardable>[];
    return models.filter((model) => model.schema.path('awards'));
  }
}
