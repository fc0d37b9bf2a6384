import type { SecureFile as View } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A file for CI jobs: keys, certificates, profiles. */
export interface SecureFile {
  _id: number;
  projectId: number;
  name: string;
  /** Project and name of a visible file: unique. */
  slot?: string;
  /** Its number among the allowed files of a project; absent in earlier versions. */
  seat?: number;
  sha256: string;
  metadata: View['metadata'];
  /** `receiving` until it is stored, `removing` until it is deleted: hidden in both. */
  status: 'receiving' | 'stored' | 'removing';
  createdAt: Date;
}

export const secureFileSchema = new Schema<SecureFile>(
  {
    _id: Number,
    projectId: Number,
    name: String,
    slot: String,
    seat: Number,
    sha256: String,
    metadata: { type: Object, default: null },
    status: String,
    createdAt: Date,
  },
  { versionKey: false, collection: 'secure_files' },
);
secureFileSchema.index({ slot: 1 }, { unique: true, sparse: true });
// Unique while the file exists or is being uploaded.
secureFileSchema.index(
  { projectId: 1, seat: 1 },
  { unique: true, partialFilterExpression: { seat: { $type: 'number' } } },
);
// Files of a project, for lists, counts and its deletion.
secureFileSchema.index({ projectId: 1, status: 1, _id: 1 });
// Files to delete.
secureFileSchema.index({ status: 1, createdAt: 1 });
