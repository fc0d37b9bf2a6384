import { Schema } from 'mongoose';

/** A file of a package. */
export interface PackageFile {
  /** The newest of several with the same name has the highest id. */
  _id: number;
  projectId: number;
  /** Absent during the upload. */
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
// Files of a package, and the newest of a name.
packageFileSchema.index({ packageId: 1, name: 1, _id: -1 }, { sparse: true });
// For the deletion of a project, and its total size.
packageFileSchema.index({ projectId: 1, sizeBytes: 1 });
// Files to delete.
packageFileSchema.index({ status: 1, createdAt: 1 });
