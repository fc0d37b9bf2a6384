import type { EnvironmentFacts, EnvironmentTier } from '@moothall/contracts';
import { Schema } from 'mongoose';
import type { z } from 'zod';

/** The job that stops an environment. */
export interface Stopper {
  /** The deployment of the job: a later one replaces it. */
  deploymentId: number;
  pipelineId: number;
  jobName: string;
}

/** A place to which jobs and external programs deploy. */
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
  /** When it is stopped automatically; absent for never. */
  autoStopAt?: Date;
  stopper?: Stopper;
  /** The newest successful deployment, with its ref and time. */
  lastDeploymentId?: number;
  lastRef?: string;
  lastDeployedAt?: Date;
  /** When a stop was requested; earlier deployments do not make it available again. */
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
// Lists of a project, in order of creation; by state; and stale ones.
environmentSchema.index({ projectId: 1, _id: 1 });
environmentSchema.index({ projectId: 1, state: 1, _id: 1 });
environmentSchema.index({ projectId: 1, state: 1, updatedAt: 1 });
// Environments of a branch, when that is deleted.
environmentSchema.index({ projectId: 1, lastRef: 1 }, { partialFilterExpression: { lastRef: { $exists: true } } });
// Environments with an auto_stop time.
environmentSchema.index({ autoStopAt: 1 }, { sparse: true });
