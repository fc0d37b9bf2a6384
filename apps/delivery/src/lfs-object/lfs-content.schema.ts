import { Schema } from 'mongoose';

/** Bytes of an object of Git LFS, or of what is on its way to be one. */
export interface LfsContent {
  _id: number;
  oid: string;
  sizeBytes: number;
  /** To which they are sent; of those that are there it says nothing. */
  projectId: number;
  /** `receiving` until they are there and are those of the object, `removing` until they are not. */
  status: 'receiving' | 'stored' | 'removing';
  /** Counts for the limit of the project, which is not noted to have them yet. */
  isArriving?: boolean;
  /** The SHA-256 of what is stored: there is one of each. */
  slot?: string;
  /** Grows whenever somebody comes to have them, or may be about to have them no more. */
  turns: number;
  /** Perhaps nobody has them: to be looked after. */
  isSuspect?: boolean;
  /** When more of them was last seen to come, by the clock of the database. */
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
// What is to be removed, or was given up.
lfsContentSchema.index({ status: 1, seenAt: 1 });
// What may be to be removed.
lfsContentSchema.index({ isSuspect: 1 }, { sparse: true });
// How much is on its way to a project.
lfsContentSchema.index({ projectId: 1 }, { partialFilterExpression: { isArriving: true } });
