import type { EventRecord } from '@moothall/contracts';
import type { Outbox, Outboxed } from '@moothall/database';
import { type Model, Schema } from 'mongoose';
import { below } from '../../namespace/set-below';

/** A record with one document per instance; it contains only values that administrators set. */
export interface InstanceRecord extends Outboxed {
  _id: number;
  values: Record<string, unknown>;
}

const only = 1;

export const instanceRecordFields = {
  _id: { type: Number, required: true },
  values: { type: Schema.Types.Mixed, default: {} },
} as const;

/** The values that were set. */
export async function readSet(model: Model<InstanceRecord>): Promise<Record<string, unknown>> {
  return (await model.findById(only).lean<InstanceRecord>())?.values ?? {};
}

/** Sets values field by field, and publishes the change. */
export async function setSome(
  model: Model<InstanceRecord>,
  outbox: Outbox,
  values: object,
  event: EventRecord,
): Promise<void> {
  await model.updateOne({ _id: only }, { $setOnInsert: { values: {} } }, { upsert: true });
  await outbox.update(model, { _id: only }, { $set: below('values', values) }, event);
}
