import type { PackageStatus } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A version of something that a project hands out, as files. */
export interface Package {
  _id: number;
  projectId: number;
  name: string;
  version: string;
  /** `removing` until its files are deleted, and hidden. */
  status: PackageStatus | 'removing';
  /** Project, name and version of one that is there: no two have the same. */
  slot?: string;
  /** Null where a deploy token made it. */
  creatorId: number | null;
  createdAt: Date;
}

export const packageSchema = new Schema<Package>(
  {
    _id: Number,
    projectId: Number,
    name: String,
    version: String,
    status: String,
    slot: String,
    creatorId: { type: Number, default: null },
    createdAt: Date,
  },
  { versionKey: false, collection: 'packages' },
);
packageSchema.index({ slot: 1 }, { unique: true, sparse: true });
// Lists of projects and groups, and the end of a project.
packageSchema.index({ projectId: 1, status: 1, createdAt: 1, _id: 1 });
// What is to be removed.
packageSchema.index({ status: 1 });
// The end of a user.
packageSchema.index({ creatorId: 1 });
