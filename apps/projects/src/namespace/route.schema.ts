import { Schema } from 'mongoose';
import type { Placed } from './placing';

/** The owner of a path: keeps paths unique across namespaces and projects, and redirects former paths. */
export interface RouteDocument extends Placed {
  /** The full path in lower case. */
  _id: string;
  kind: 'namespace' | 'project';
  targetId: number;
  /** A former path; other owners may take it. */
  isRedirect: boolean;
  /** False between the reservation and the write of the owner; a periodic job removes reservations after a crash. */
  isSettled: boolean;
  claimedAt: Date;
  /** The user for whom identity reserved it before the user was written. */
  userId?: number | null;
  /** Storage of the repository that was created for the reservation of a project. */
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
// All paths of one owner, to redirect or to remove them.
routeSchema.index({ kind: 1, targetId: 1 });
// Reservations whose process died before they were confirmed.
routeSchema.index({ claimedAt: 1 }, { partialFilterExpression: { isSettled: false } });
