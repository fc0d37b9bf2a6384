import { Schema } from 'mongoose';

/** Periods without deployments: from each start to the following end. */
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
