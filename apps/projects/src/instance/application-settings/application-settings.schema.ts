import { outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import { type InstanceRecord, instanceRecordFields } from '../record/instance-record';

export const applicationSettingsSchema = new Schema<InstanceRecord>(instanceRecordFields, {
  collection: 'application_settings',
  minimize: false,
});
applicationSettingsSchema.plugin(outboxed);
