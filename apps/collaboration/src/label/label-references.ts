import { eachAlone, Sweeps } from '@moothall/background';
import type { EventData, EventRecord } from '@moothall/contracts';
import { labelDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { Labels } from './label.repository';
import type { LabelDocument } from './label.schema';

interface Bearer {
  _id: number;
  labelIds: number[];
}

/** Keeps what carries labels in step with them: issues, merge requests, epics, boards. */
@Injectable()
export class Labelled {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel('Label') private readonly labels: Model<LabelDocument>,
    private readonly repository: Labels,
  ) {}

  /** Removes a label for good, from its bearers before the caller is answered. */
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
    for (const bearers of this.bearers()) {
      await bearers.updateMany({ labelIds: labelId }, { $pull: { labelIds: labelId }, $inc: { revision: 1 } } as never);
    }
  }

  /** Lets a label take the place of those it was made to absorb. May run again at any point. */
  async absorb(label: LabelDocument): Promise<void> {
    const former = { $in: label.absorbs ?? [] };
    for (const bearers of this.bearers()) await replaceLabel(bearers, {}, label.absorbs ?? [], label._id);
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
  private bearers(): Model<Bearer>[] {
    return Object.values(this.connection.models).filter((model) => model.schema.path('labelIds'));
  }
}

/**
 * Lets a label take the place of others on the records that a filter finds, of which none bears two of them. At no
 * moment a record has both, or neither.
 */
export async function replaceLabel(
  bearers: Model<Bearer>,
  filter: object,
  former: number[],
  labelId: number,
): Promise<void> {
  const $inc = { revision: 1 };
  const alone = { ...filter, labelIds: { $in: former, $ne: labelId } };
  const inPlace = { $set: { 'labelIds.$[former]': labelId }, $inc };
  await bearers.updateMany(alone, inPlace as never, { arrayFilters: [{ former: { $in: former } }] });
  const beside = { ...filter, labelIds: { $in: former } };
  await bearers.updateMany(beside, { $pull: { labelIds: { $in: former } }, $inc } as never);
}
