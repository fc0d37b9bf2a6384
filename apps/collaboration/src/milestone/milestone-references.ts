import { PeriodicJob } from '@moothall/background';
import { type EventData, type EventRecord, milestoneDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { replaceInLists } from '../board/board-references';
import { References } from '../promotion/references';
import { Milestones } from './milestone.repository';
import type { MilestoneDocument } from './milestone.schema';

interface Referrer {
  _id: number;
  milestoneId: number | null;
  revision: number;
}

/** Updates issues and merge requests when their milestone is deleted or promoted. */
@Injectable()
export class MilestoneReferences extends References<MilestoneDocument> {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    milestones: Milestones,
  ) {
    super(milestones);
  }

  /** Repeats the update after an interruption. */
  @OnEvent(milestoneDeleted, 'MilestoneBearers-onDeleted')
  async onDeleted({ data }: EventRecord<EventData<typeof milestoneDeleted>>): Promise<void> {
    await this.replace([data.milestone_id], null);
  }

  @PeriodicJob('absorbed milestones', { everySeconds: 60 })
  async mergeAll(signal?: AbortSignal): Promise<void> {
    await this.mergeUnfinished(signal);
  }

  protected async replace(former: number[], milestoneId: number | null): Promise<void> {
    for (const model of Object.values(this.connection.models) as unknown as Model<Referrer>[]) {
      // Epics have the field but no milestones; milestone events remain, without its name.
      if (!model.schema.path('milestoneId') || ['Epic', 'MilestoneEvent'].includes(model.modelName)) continue;
      await model.updateMany({ milestoneId: { $in: former } }, { $set: { milestoneId }, $inc: { revision: 1 } });
    }
    await replaceInLists(this.connection.collection('boards'), {}, 'milestoneId', former, milestoneId);
    if (milestoneId === null) return;
    const events = this.connection.collection('milestone_events');
    await events.updateMany({ milestoneId: { $in: former } }, { $set: { milestoneId } });
  }
}
