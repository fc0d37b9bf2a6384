import { Schema } from 'mongoose';

/** When nothing is to be deployed: from each start to the end that follows. */
export interface FreezePeriodRecord {
  _id: number;
  projectId: number;
  /** Cron expressions. */
  freezeStart: string;
  freezeEnd: string;
  cronTimezone: string;
  createdAt: Date;
  updatedAt: Date;
}

export const freezePeriodSchema = new Schema<FreezePeriodRecord>(
  { _id: Number, projectId: Number, freezeStart: String, freezeEnd: String, cronTimezone: String },
  { timestamps: true, versionKey: false, collection: 'freeze_periods' },
);
// Lists of a project, and whether it is frozen.
freezePeriodSchema.index({ projectId: 1, _id: 1 });
