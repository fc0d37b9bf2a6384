import type { ApplicationSettings } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** The one record of an instance; what administrators never set is not in it. */
export interface ApplicationSettingsDocument extends Outboxed {
  _id: number;
  values: Partial<ApplicationSettings>;
}

export const applicationSettingsSchema = new Schema<ApplicationSettingsDocument>(
  { _id: { type: Number, required: true }, values: { type: Schema.Types.Mixed, default: {} } },
  { collection: 'application_settings', minimize: false },
);
applicationSettingsSchema.plugin(outboxed);
