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
// At most one lock per path.
lfsLockSchema.index({ projectId: 1, path: 1 }, { unique: true });
// Pages of a project.
lfsLockSchema.index({ projectId: 1, _id: 1 });
// For the removal of a deleted user.
lfsLockSchema.index({ ownerId: 1 });
