import { mostCheckedBranches } from '@moothall/contracts';
import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

/** An external service that checks merge requests of a project. */
export interface StatusCheckDocument {
  _id: number;
  projectId: number;
  name: string;
  /** With name and password. */
  sealedUrl: string;
  /** The same with both masked. */
  shownUrl: string;
  /** Key for signatures; null for unsigned requests. */
  sealedSecret: string | null;
  /** The branches whose merge requests are checked; empty for all branches. */
  protectedBranchIds: number[];
  createdAt: Date;
}

export const statusCheckSchema = new Schema<StatusCheckDocument>(
  {
    _id: Number,
    projectId: Number,
    name: String,
    sealedUrl: String,
    shownUrl: String,
    sealedSecret: { type: String, default: null },
    protectedBranchIds: { type: [Number], most: mostCheckedBranches },
    createdAt: Date,
  },
  { versionKey: false, collection: 'status_checks' },
);
// Checks of a project, read at every change of a merge request; names are unique.
statusCheckSchema.index({ projectId: 1, name: 1 }, { unique: true });
statusCheckSchema.plugin(sealedFields, ['sealedUrl', 'sealedSecret']);
