import { Schema } from 'mongoose';
import type { Placed } from './placing';

/** Whose a path is, or was: what keeps paths unique over namespaces and projects, and leads old ones to the new. */
export interface RouteDocument extends Placed {
  /** The full path in lower case. */
  _id: string;
  kind: 'namespace' | 'project';
  targetId: number;
  /** An old path; anybody may take it. */
  isRedirect: boolean;
  /** False between the claim and the write of who claims; a crash in between is cleared up later. */
  isSettled: boolean;
  claimedAt: Date;
  /** The user for whom identity claimed it, before the user was written. */
  userId?: number | null;
  /** Storage of the repository that was made for the claim of a project. */
  storage?: string;
}

export const routeSchema = new Schema<RouteDocument>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    targetId: { type: Number, required: true },
    isRedirect: { type: Boolean, default: false },
    isSettled: { type: Boolean, default: false },
    claimedAt: { type: Date, required: true },
    userId: Number,
    storage: String,
    placedBy: Number,
  },
  { collection: 'routes' },
);
// All paths of one target, to turn into redirects or to remove.
routeSchema.index({ kind: 1, targetId: 1 });
// Claims whose process ended before they were settled.
routeSchema.index({ claimedAt: 1 }, { partialFilterExpression: { isSettled: false } });
