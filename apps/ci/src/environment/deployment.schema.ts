import type { DeploymentStatus } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** A deployment of a commit to an environment, by a job or an external program. */
export interface DeploymentRecord extends Outboxed {
  _id: number;
  iid: number;
  projectId: number;
  environmentId: number;
  status: DeploymentStatus;
  ref: string;
  isTag: boolean;
  sha: string;
  userId: number | null;
  /** The job and its pipeline; absent for external programs. */
  jobId?: number;
  pipelineId?: number;
  finishedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const deploymentSchema = new Schema<DeploymentRecord>(
  {
    _id: Number,
    iid: Number,
    projectId: Number,
    environmentId: Number,
    status: String,
    ref: String,
    isTag: Boolean,
    sha: String,
    userId: { type: Number, default: null },
    jobId: Number,
    pipelineId: Number,
    finishedAt: { type: Date, default: null },
  },
  { timestamps: true, versionKey: false, collection: 'deployments' },
);
// Lists of a project in the requested orders; iid and creation have the order of the id.
deploymentSchema.index({ projectId: 1, _id: 1 });
deploymentSchema.index({ projectId: 1, updatedAt: 1, _id: 1 });
deploymentSchema.index({ projectId: 1, finishedAt: 1, _id: 1 });
deploymentSchema.index({ projectId: 1, ref: 1, _id: 1 });
deploymentSchema.index({ projectId: 1, status: 1, _id: 1 });
// Deployments of an environment, and the last before one.
deploymentSchema.index({ environmentId: 1, status: 1, _id: 1 });
// One for each job, if its event arrives several times.
deploymentSchema.index({ jobId: 1 }, { unique: true, sparse: true });
// Deployments of a deleted user.
deploymentSchema.index({ userId: 1 });
deploymentSchema.plugin(outboxed);
