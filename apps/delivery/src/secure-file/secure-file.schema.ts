import type { SecureFile as View } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A file that a project keeps for its jobs: keys, certificates, profiles. */
export interface SecureFile {
  _id: number;
  projectId: number;
  name: string;
  /** Project and name of one that is there: no two have the same. */
  slot?: string;
  /** Which of those that a project may have it is; earlier versions gave none. */
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
// Held while one is there or on its way.
secureFileSchema.index(
  { projectId: 1, seat: 1 },
  { unique: true, partialFilterExpression: { seat: { $type: 'number' } } },
);
// Those of a project, in lists, counted, and at its end.
secureFileSchema.index({ projectId: 1, status: 1, _id: 1 });
// What is to be removed.
secureFileSchema.index({ status: 1, createdAt: 1 });
