import type { PackageStatus } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A version of a package, with its files. */
export interface Package {
  _id: number;
  projectId: number;
  name: string;
  version: string;
  /** `removing` until its files are deleted, and hidden. */
  status: PackageStatus | 'removing';
  /** Project, name and version of a visible package: unique. */
  slot?: string;
  /** Null for a deploy token. */
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
// Lists of projects and groups, and for the deletion of a project.
packageSchema.index({ projectId: 1, status: 1, createdAt: 1, _id: 1 });
// Packages to delete.
packageSchema.index({ status: 1 });
// For the removal of a deleted user.
packageSchema.index({ creatorId: 1 });
