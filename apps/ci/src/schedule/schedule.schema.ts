import { mostVariables } from '@moothall/contracts';
import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';
import { type SealedVariable, sealedVariableSchema } from '../variable/sealed-variable';

export interface PipelineSchedule {
  _id: number;
  projectId: number;
  description: string;
  ref: string;
  cron: string;
  /** As the client wrote it. */
  cronTimezone: string;
  /** Also stored for inactive schedules; null for expressions without a date. */
  nextRunAt: Date | null;
  isActive: boolean;
  /** Why the server switched it off. */
  deactivationReason: string | null;
  /** Null if the owner was deleted. */
  ownerId: number | null;
  variables: SealedVariable[];
  /** Which one of its project's archive it is. */
  importedAs?: number;
  createdAt: Date;
  updatedAt: Date;
}

export const scheduleSchema = new Schema<PipelineSchedule>(
  {
    _id: Number,
    projectId: Number,
    description: String,
    ref: String,
    cron: String,
    cronTimezone: String,
    nextRunAt: { type: Date, default: null },
    isActive: Boolean,
    deactivationReason: { type: String, default: null },
    ownerId: { type: Number, default: null },
    variables: { type: [sealedVariableSchema], default: [], most: mostVariables },
    importedAs: Number,
  },
  { timestamps: true, versionKey: false, collection: 'schedules' },
);
// Lists of a project, by id; and the end of a project.
scheduleSchema.index({ projectId: 1, _id: 1 });
scheduleSchema.index({ projectId: 1, isActive: 1, _id: 1 });
// A repeated import creates none twice.
scheduleSchema.index(
  { projectId: 1, importedAs: 1 },
  { unique: true, partialFilterExpression: { importedAs: { $gt: 0 } } },
);
// Due schedules, oldest first.
scheduleSchema.index({ isActive: 1, nextRunAt: 1, _id: 1 });
// Schedules of a user who is blocked, leaves or is deleted.
scheduleSchema.index({ ownerId: 1, projectId: 1 });
scheduleSchema.plugin(sealedFields, ['variables.sealed']);
