import { Schema } from 'mongoose';

/** A file of a package. */
export interface PackageFile {
  /** The newest of several of one name has the largest. */
  _id: number;
  projectId: number;
  /** Absent while it is on its way here. */
  packageId?: number;
  name: string;
  sizeBytes: number;
  sha256: string;
  sha1: string;
  /** `receiving` until it is stored, `removing` until it is deleted: hidden in both. */
  status: 'receiving' | 'stored' | 'removing';
  createdAt: Date;
}

export const packageFileSchema = new Schema<PackageFile>(
  {
    _id: Number,
    projectId: Number,
    packageId: Number,
    name: String,
    sizeBytes: Number,
    sha256: String,
    sha1: String,
    status: String,
    createdAt: Date,
  },
  { versionKey: false, collection: 'package_files' },
);
// Those of a package, and the newest of a name.
packageFileSchema.index({ packageId: 1, name: 1, _id: -1 }, { sparse: true });
// The end of a project, and how much it has.
packageFileSchema.index({ projectId: 1, sizeBytes: 1 });
// What is to be removed.
packageFileSchema.index({ status: 1, createdAt: 1 });
