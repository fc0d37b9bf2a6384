import type { EnvironmentFacts, EnvironmentTier } from '@moothall/contracts';
import { Schema } from 'mongoose';
import type { z } from 'zod';

/** The job that takes away again what a deployment brought. */
export interface Stopper {
  /** Whose job it is: that of a later deployment takes its place. */
  deploymentId: number;
  pipelineId: number;
  jobName: string;
}

/** A place to which jobs and programs elsewhere bring something. */
export interface EnvironmentRecord {
  _id: number;
  projectId: number;
  name: string;
  slug: string;
  description: string | null;
  externalUrl: string | null;
  state: z.infer<typeof EnvironmentFacts>['state'];
  tier: EnvironmentTier;
  autoStopSetting: 'always' | 'with_action';
  /** When it is stopped by itself; absent for never. */
  autoStopAt?: Date;
  stopper?: Stopper;
  /** The newest deployment that succeeded, where it was from, and when it did. */
  lastDeploymentId?: number;
  lastRef?: string;
  lastDeployedAt?: Date;
  /** When somebody wanted it to stop; what succeeded before does not make it available again. */
  stopAskedAt?: Date;
  createdAt: Date;
  updatedAt: Date;
}

const stopperSchema = new Schema<Stopper>(
  { deploymentId: Number, pipelineId: Number, jobName: String },
  { _id: false, id: false },
);

export const environmentSchema = new Schema<EnvironmentRecord>(
  {
    _id: Number,
    projectId: Number,
    name: String,
    slug: String,
    description: { type: String, default: null },
    externalUrl: { type: String, default: null },
    state: String,
    tier: String,
    autoStopSetting: String,
    autoStopAt: Date,
    stopper: stopperSchema,
    lastDeploymentId: Number,
    lastRef: String,
    lastDeployedAt: Date,
    stopAskedAt: Date,
  },
  { timestamps: true, versionKey: false, collection: 'environments' },
);
// One of a name.
environmentSchema.index({ projectId: 1, name: 1 }, { unique: true });
// Lists of a project, in order of creation; those of a state; and those that nothing happened to for long.
environmentSchema.index({ projectId: 1, _id: 1 });
environmentSchema.index({ projectId: 1, state: 1, _id: 1 });
environmentSchema.index({ projectId: 1, state: 1, updatedAt: 1 });
// What came from a branch, when that goes.
environmentSchema.index({ projectId: 1, lastRef: 1 }, { partialFilterExpression: { lastRef: { $exists: true } } });
// What is to be stopped.
environmentSchema.index({ autoStopAt: 1 }, { sparse: true });
