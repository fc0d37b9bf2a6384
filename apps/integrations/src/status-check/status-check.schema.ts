import { mostCheckedBranches } from '@moothall/contracts';
import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

/** An external service that checks merge requests of a project. */
export interface StatusCheckDocument {
  _id: number;
  projectId: number;
  name: string;
  /** With a name and password in it. */
  sealedUrl: string;
  /** The same with both masked. */
  shownUrl: string;
  /** Key of signatures; null where nothing is signed. */
  sealedSecret: string | null;
  /** Only merge requests to these are checked; to all branches where it is empty. */
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
// Those of a project, at every change of a merge request; no name is there twice.
statusCheckSchema.index({ projectId: 1, name: 1 }, { unique: true });
statusCheckSchema.plugin(sealedFields, ['sealedUrl', 'sealedSecret']);
