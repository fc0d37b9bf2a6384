import type { EventRecord } from '@moothall/contracts';
import type { Outbox, Outboxed } from '@moothall/database';
import { type Model, Schema } from 'mongoose';
import { below } from '../../namespace/set-below';

/** The one record of an instance; what administrators never set is not in it. */
export interface InstanceRecord extends Outboxed {
  _id: number;
  values: Record<string, unknown>;
}

const only = 1;

export const instanceRecordFields = {
  _id: { type: Number, required: true },
  values: { type: Schema.Types.Mixed, default: {} },
} as const;

/** What has been set so far. */
export async function readSet(model: Model<InstanceRecord>): Promise<Record<string, unknown>> {
  return (await model.findById(only).lean<InstanceRecord>())?.values ?? {};
}

/** Sets some values, each separately, and publishes that. */
export async function setSome(
  model: Model<InstanceRecord>,
  outbox: Outbox,
  values: object,
  event: EventRecord,
): Promise<void> {
  await model.updateOne({ _id: only }, { $setOnInsert: { values: {} } }, { upsert: true });
  await outbox.update(model, { _id: only }, { $set: below('values', values) }, event);
}
