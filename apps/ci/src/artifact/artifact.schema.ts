import type { ArtifactFormat, ArtifactType } from '@moothall/contracts';
import { Schema } from 'mongoose';
import type { ArtifactSpec } from '../pipeline-file/job-spec';

/** A file of a job. */
export interface Artifact {
  _id: number;
  projectId: number;
  jobId: number;
  type: ArtifactType;
  format: ArtifactFormat;
  filename: string;
  sizeBytes: number;
  sha256: string;
  /** Which readers of the job may read it. */
  access: ArtifactSpec['access'];
  /** `receiving` until its file is stored, and `removing` until it is deleted: answers contain neither. */
  status: 'receiving' | 'stored' | 'removing';
  /** Job and type of a stored one, which are unique together. */
  slot?: string;
  /** A report that the security service has received. */
  isHandedOver?: boolean;
  /** Absent if it does not expire. */
  expiresAt?: Date;
  createdAt: Date;
}

export const artifactSchema = new Schema<Artifact>(
  {
    _id: Number,
    projectId: Number,
    jobId: Number,
    type: String,
    format: String,
    filename: String,
    sizeBytes: Number,
    sha256: String,
    access: String,
    status: String,
    slot: String,
    isHandedOver: Boolean,
    expiresAt: Date,
    createdAt: Date,
  },
  { versionKey: false, collection: 'artifacts' },
);
artifactSchema.index({ slot: 1 }, { unique: true, sparse: true });
// Artifacts of jobs and of a project, with their sizes.
artifactSchema.index({ jobId: 1 });
artifactSchema.index({ projectId: 1, sizeBytes: 1 });
// Expired and unfinished ones.
artifactSchema.index({ expiresAt: 1 }, { sparse: true });
artifactSchema.index({ status: 1, createdAt: 1 });
