import { eachAlone, Sweeps } from '@moothall/background';
import { type EventData, type EventRecord, milestoneDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { Milestones } from './milestone.repository';
import type { MilestoneDocument } from './milestone.schema';

interface Referrer {
  _id: number;
  milestoneId: number | null;
  revision: number;
}

/** Keeps what milestones are set on in step with them: issues and merge requests. */
@Injectable()
export class MilestoneReferences {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly milestones: Milestones,
  ) {}

  /** Removes a milestone for good, from what refers to it before the caller is answered. */
  async remove(milestone: MilestoneDocument): Promise<void> {
    await this.milestones.remove(milestone);
    await this.replace([milestone._id], null);
  }

  /** Again, where a stop came in between. */
  @OnEvent(milestoneDeleted, 'MilestoneBearers-onDeleted')
  async onDeleted({ data }: EventRecord<EventData<typeof milestoneDeleted>>): Promise<void> {
    await this.replace([data.milestone_id], null);
  }

  /** Lets a milestone take the place of those it was made to absorb. May run again at any point. */
  async absorb(milestone: MilestoneDocument): Promise<void> {
    const former = milestone.absorbs ?? [];
    await this.replace(former, milestone._id);
    await this.milestones.model.deleteMany({ _id: { $in: former } });
    await this.milestones.model.updateOne({ _id: milestone._id }, { $unset: { absorbs: 1 } }, { timestamps: false });
  }

  private async replace(former: number[], milestoneId: number | null): Promise<void> {
    for (const model of Object.values(this.connection.models) as unknown as Model<Referrer>[]) {
      // An epic has none, though it has the field.
      if (!model.schema.path('milestoneId') || model.modelName === 'Epic') continue;
      await model.updateMany({ milestoneId: { $in: former } }, { $set: { milestoneId }, $inc: { revision: 1 } });
    }
  }

  /** Promotions that a stop has left unfinished. */
  @Sweeps('absorbed milestones', { everySeconds: 60 })
  async absorbAll(signal?: AbortSignal): Promise<void> {
    const unfinished = await this.milestones.model.find({ absorbs: { $gt: 0 } }).lean<MilestoneDocument[]>();
    await eachAlone(unfinished, (milestone) => this.absorb(milestone), signal);
  }
}
