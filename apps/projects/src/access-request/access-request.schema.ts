import { Schema } from 'mongoose';
import type { SourceKey } from '../member/source';

/** A request of a user to become a member. */
export interface AccessRequestDocument {
  /** Id of the form `source/user`; one request per user and source. */
  _id: string;
  source: SourceKey;
  userId: number;
  requestedAt: Date;
  /** Set while it is turned into a membership: it cannot be denied then. */
  approvedAt?: Date | null;
}

export const accessRequestSchema = new Schema<AccessRequestDocument>(
  {
    _id: { type: String, required: true },
    source: { type: String, required: true },
    userId: { type: Number, required: true },
    requestedAt: { type: Date, required: true },
    approvedAt: { type: Date, default: null },
  },
  { collection: 'access_requests' },
);
// The pending requests of a project or group, oldest first.
accessRequestSchema.index({ source: 1, requestedAt: 1 });
// For the removal of a deleted user.
accessRequestSchema.index({ userId: 1 });
