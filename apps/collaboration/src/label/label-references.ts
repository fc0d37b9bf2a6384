import { PeriodicJob } from '@moothall/background';
import { type EventData, type EventRecord, labelDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, Model } from 'mongoose';
import { replaceInLists } from '../board/board-references';
import { References } from '../promotion/references';
import { Labels } from './label.repository';
import type { LabelDocument } from './label.schema';

interface Referrer {
  _id: number;
  labelIds: number[];
}

/** Updates records that refer to a label: issues, merge requests, epics, boards. */
@Injectable()
export class LabelReferences extends References<LabelDocument> {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    labels: Labels,
  ) {
    super(labels);
  }

  /** Repeats the update after an interruption. */
  @OnEvent(labelDeleted, 'Labelled-onDeleted')
  async onDeleted({ data }: EventRecord<EventData<typeof labelDeleted>>): Promise<void> {
    await this.replace([data.label_id], null);
  }

  @PeriodicJob('absorbed labels', { everySeconds: 60 })
  async mergeAll(signal?: AbortSignal): Promise<void> {
    await this.mergeUnfinished(signal);
  }

  protected async replace(former: number[], labelId: number | null): Promise<void> {
    for (const referrers of this.listReferrers()) await replaceLabel(referrers, {}, former, labelId);
    await replaceInLists(this.connection.collection('boards'), {}, 'labelId', former, labelId);
    if (labelId === null) return;
    const events = this.connection.collection('label_events');
    await events.updateMany({ labelId: { $in: former } }, { $set: { labelId } });
  }

  /** Every collection whose documents have labels. */
  private listReferrers(): Model<Referrer>[] {
    return Object.values(this.connection.models).filter((model) => model.schema.path('labelIds'));
  }
}

/**
 * Replaces labels by another label, or removes them, on the records that a filter finds; none of these has two of them.
 * At no moment does a record have both, or neither.
 */
export async function replaceLabel(
  referrers: Pick<Model<Referrer>, 'updateMany'>,
  filter: object,
  former: number[],
  labelId: number | null,
): Promise<void> {
  const $inc = { revision: 1 };
  if (labelId !== null) {
    const alone = { ...filter, labelIds: { $in: former, $ne: labelId } };
    const inPlace = { $set: { 'labelIds.$[former]': labelId }, $inc };
    await referrers.updateMany(alone, inPlace, { arrayFilters: [{ former: { $in: former } }] });
  }
  const beside = { ...filter, labelIds: { $in: former } };
  await referrers.updateMany(beside, { $pull: { labelIds: { $in: former } }, $inc });
}
