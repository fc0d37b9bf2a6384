import { eachAlone, Sweeps } from '@moothall/background';
import type { EventData, EventRecord } from '@moothall/contracts';
import { labelDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { Labels } from './label.repository';
import type { LabelDocument } from './label.schema';

interface Referrer {
  _id: number;
  labelIds: number[];
}

/** Keeps what refers to labels in step with them: issues, merge requests, epics, boards. */
@Injectable()
export class LabelReferences {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel('Label') private readonly labels: Model<LabelDocument>,
    private readonly repository: Labels,
  ) {}

  /** Removes a label for good, from what refers to it before the caller is answered. */
  async remove(label: LabelDocument): Promise<void> {
    await this.repository.remove(label);
    await this.forget(label._id);
  }

  /** Again, where a stop came in between. */
  @OnEvent(labelDeleted, 'Labelled-onDeleted')
  async onDeleted({ data }: EventRecord<EventData<typeof labelDeleted>>): Promise<void> {
    await this.forget(data.label_id);
  }

  private async forget(labelId: number): Promise<void> {
    for (const referrers of this.listReferrers()) {
      await referrers.updateMany({ labelIds: labelId }, {
        $pull: { labelIds: labelId },
        $inc: { revision: 1 },
      } as never);
    }
  }

  /** Lets a label take the place of those it was made to absorb. May run again at any point. */
  async absorb(label: LabelDocument): Promise<void> {
    const former = { $in: label.absorbs ?? [] };
    for (const referrers of this.listReferrers()) await replaceLabel(referrers, {}, label.absorbs ?? [], label._id);
    await this.connection.collection('label_events').updateMany({ labelId: former }, { $set: { labelId: label._id } });
    await this.labels.deleteMany({ _id: former });
    await this.labels.updateOne({ _id: label._id }, { $unset: { absorbs: 1 } });
  }

  /** Promotions that a stop has left unfinished. */
  @Sweeps('absorbed labels', { everySeconds: 60 })
  async absorbAll(signal?: AbortSignal): Promise<void> {
    const unfinished = await this.labels.find({ absorbs: { $gt: 0 } }).lean<LabelDocument[]>();
    await eachAlone(unfinished, (label) => this.absorb(label), signal);
  }

  /** Every collection whose documents carry labels. */
  private listReferrers(): Model<Referrer>[] {
    return Object.values(this.connection.models).filter((model) => model.schema.path('labelIds'));
  }
}

/**
 * Lets a label take the place of others on the records that a filter finds, of which none has two of them. At no
 * moment a record has both, or neither.
 */
export async function replaceLabel(
  referrers: Model<Referrer>,
  filter: object,
  former: number[],
  labelId: number,
): Promise<void> {
  const $inc = { revision: 1 };
  const alone = { ...filter, labelIds: { $in: former, $ne: labelId } };
  const inPlace = { $set: { 'labelIds.$[former]': labelId }, $inc };
  await referrers.updateMany(alone, inPlace as never, { arrayFilters: [{ former: { $in: former } }] });
  const beside = { ...filter, labelIds: { $in: former } };
  await referrers.updateMany(beside, { $pull: { labelIds: { $in: former } }, $inc } as never);
}
