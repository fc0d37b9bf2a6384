import { outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import { type InstanceRecord, instanceRecordFields } from '../record/instance-record';

export const planLimitsSchema = new Schema<InstanceRecord>(instanceRecordFields, {
  collection: 'plan_limits',
  minimize: false,
});
planLimitsSchema.plugin(outboxed);
