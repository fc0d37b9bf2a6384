import { Schema } from 'mongoose';

/** The bytes of a Git LFS object, or of an upload in progress. */
export interface LfsContent {
  _id: number;
  oid: string;
  sizeBytes: number;
  /** Target of the upload; meaningless once the content is stored. */
  projectId: number;
  /** `receiving` until the bytes are complete and verified, `removing` until they are deleted. */
  status: 'receiving' | 'stored' | 'removing';
  /** Counts for the limit of the project, which does not refer to it yet. */
  isArriving?: boolean;
  /** The SHA-256 of a stored content: unique. */
  slot?: string;
  /** Incremented whenever a project starts to refer to it, or may stop. */
  turns: number;
  /** Possibly unused: a check is pending. */
  isSuspect?: boolean;
  /** Last progress of the upload, by the clock of the database. */
  seenAt: Date;
}

export const lfsContentSchema = new Schema<LfsContent>(
  {
    _id: Number,
    oid: String,
    sizeBytes: Number,
    projectId: Number,
    status: String,
    isArriving: Boolean,
    slot: String,
    turns: Number,
    isSuspect: Boolean,
    seenAt: Date,
  },
  { versionKey: false, collection: 'lfs_contents' },
);
lfsContentSchema.index({ slot: 1 }, { unique: true, sparse: true });
// Contents to delete, and abandoned uploads.
lfsContentSchema.index({ status: 1, seenAt: 1 });
// Contents with a pending check.
lfsContentSchema.index({ isSuspect: 1 }, { sparse: true });
// Uploads in progress of a project.
lfsContentSchema.index({ projectId: 1 }, { partialFilterExpression: { isArriving: true } });
