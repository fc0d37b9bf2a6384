import { type EventData, type EventRecord, userDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import type { Awardable } from '../award/awardable';
import type { Issuable } from '../issuable/issuable';
import type { LabelEventDocument } from '../label-event/label-event.schema';
import { Notes } from '../note/note.repository';
import { RemoveAttached } from '../noteable/remove-attached';

const idsPerStep = 500;

/** Issues, merge requests and epics; their models are called like the type of their notes. */
const issuableTypes = ['Issue', 'MergeRequest', 'Epic'] as const;

/** What a deleted user wrote goes to the ghost user, or along with the user. Each step may run again. Source: clarifications B.8. */
@Injectable()
export class FollowUserDeletions {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel('LabelEvent') private readonly labelEvents: Model<LabelEventDocument>,
    private readonly notes: Notes,
    private readonly attached: RemoveAttached,
  ) {}

  @OnEvent(userDeleted)
  async handle({ data }: EventRecord<EventData<typeof userDeleted>>): Promise<void> {
    const { user_id, ghost_user_id, hard_delete } = data;
    await (hard_delete ? this.remove(user_id) : this.hand(user_id, ghost_user_id));
    await this.labelEvents.updateMany({ userId: user_id }, { $set: { userId: ghost_user_id } });
    await this.notes.model.updateMany({ resolvedById: user_id }, { $set: { resolvedById: ghost_user_id } });
    for (const [, model] of this.issuables()) {
      await model.updateMany({ assigneeIds: user_id }, { $pull: { assigneeIds: user_id }, $inc: { revision: 1 } });
    }
  }

  private async hand(from: number, to: number): Promise<void> {
    for (const [, model] of this.issuables()) {
      await model.updateMany({ authorId: from }, { $set: { authorId: to }, $inc: { revision: 1 } });
    }
    await this.notes.model.updateMany({ authorId: from }, { $set: { authorId: to } }, { timestamps: false });
    for (const model of this.awardables()) {
      await model.updateMany(
        { 'awards.userId': from },
        { $set: { 'awards.$[own].userId': to } },
        { arrayFilters: [{ 'own.userId': from }], timestamps: false },
      );
    }
  }

  private async remove(userId: number): Promise<void> {
    for (const [type, model] of this.issuables()) {
      for (;;) {
        const some = await model.find({ authorId: userId }, { _id: 1 }).limit(idsPerStep).lean<{ _id: number }[]>();
        if (some.length === 0) break;
        const ids = some.map(({ _id }) => _id);
        await this.attached.of(type, ids);
        await model.deleteMany({ _id: { $in: ids } });
      }
    }
    await this.notes.removeAllOf(userId);
    for (const model of this.awardables()) {
      await model.updateMany({ 'awards.userId': userId }, { $pull: { awards: { userId } } }, { timestamps: false });
    }
  }

  private issuables(): [(typeof issuableTypes)[number], Model<Issuable>][] {
    return issuableTypes.flatMap((type) => {
      const model = this.connection.models[type] as Model<Issuable> | undefined;
      return model ? [[type, model]] : [];
    });
  }

  private awardables(): Model<Awardable>[] {
    const models = Object.values(this.connection.models) as unknown as Model<Awardable>[];
    return models.filter((model) => model.schema.path('awards'));
  }
}
