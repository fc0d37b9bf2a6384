import { Schema } from 'mongoose';

/** Somebody wants to see what another does. See docs/api/users.md#9. */
export interface FollowDocument {
  /** `follower/followed`; once each. */
  _id: string;
  followerId: number;
  followedId: number;
}

export const followSchema = new Schema<FollowDocument>(
  {
    _id: { type: String, required: true },
    followerId: { type: Number, required: true },
    followedId: { type: Number, required: true },
  },
  { collection: 'follows', versionKey: false },
);
// Whom somebody follows, and who follows somebody, in the order of their ids.
followSchema.index({ followerId: 1, followedId: 1 });
followSchema.index({ followedId: 1, followerId: 1 });
