import { Schema } from 'mongoose';
import type { SourceKey } from '../member/source';
import { mostAbove } from '../namespace/namespace.schema';
import type { Placed } from '../namespace/placing';

/** A project or group that the members of another group may access, up to a level. */
export interface ShareDocument extends Placed {
  /** Id of the source and the invited group; one share each. */
  _id: string;
  /** Id in the API. */
  number: number;
  source: SourceKey;
  groupId: number;
  /** The invited group and those above it: members of all of them are invited. */
  groupIds: number[];
  accessLevel: number;
  expiresAt: string | null;
  createdAt: Date;
}

export const shareSchema = new Schema<ShareDocument>(
  {
    _id: { type: String, required: true },
    number: { type: Number, required: true },
    source: { type: String, required: true },
    groupId: { type: Number, required: true },
    groupIds: { type: [Number], required: true, most: mostAbove + 1 },
    accessLevel: { type: Number, required: true },
    expiresAt: { type: String, default: null },
    placedBy: Number,
  },
  { collection: 'shares', timestamps: { createdAt: true, updatedAt: false } },
);
// Shares with a group, for its deletion.
shareSchema.index({ groupId: 1 });
// Shares of a project, group or chain of groups.
shareSchema.index({ source: 1 });
// Shares that the members of a group benefit from.
shareSchema.index({ groupIds: 1 });
// Expired shares.
shareSchema.index({ expiresAt: 1 }, { partialFilterExpression: { expiresAt: { $type: 'string' } } });
