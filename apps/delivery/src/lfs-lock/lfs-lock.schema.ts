import { Schema } from 'mongoose';

/** A lock on a file that cannot be merged. */
export interface LfsLockDocument {
  _id: number;
  projectId: number;
  path: string;
  ownerId: number;
  lockedAt: Date;
}

export const lfsLockSchema = new Schema<LfsLockDocument>(
  {
    _id: Number,
    projectId: Number,
    path: String,
    ownerId: Number,
    lockedAt: Date,
  },
  { versionKey: false, collection: 'lfs_locks' },
);
// A path has one lock, or none.
lfsLockSchema.index({ projectId: 1, path: 1 }, { unique: true });
// Pages of a project.
lfsLockSchema.index({ projectId: 1, _id: 1 });
// The end of a user.
lfsLockSchema.index({ ownerId: 1 });
