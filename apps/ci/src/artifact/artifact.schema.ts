import type { ArtifactFormat, ArtifactType } from '@moothall/contracts';
import { Schema } from 'mongoose';
import type { ArtifactSpec } from '../pipeline-file/job-spec';

/** A file that a job left behind. */
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
  /** Job and type of a stored one: no two have the same. */
  slot?: string;
  /** A report of which the security service knows. */
  isHandedOver?: boolean;
  /** Absent where it is kept for ever. */
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
// Those of jobs, of a project, and how much they are.
artifactSchema.index({ jobId: 1 });
artifactSchema.index({ projectId: 1, sizeBytes: 1 });
// What is to be removed.
artifactSchema.index({ expiresAt: 1 }, { sparse: true });
artifactSchema.index({ status: 1, createdAt: 1 });
