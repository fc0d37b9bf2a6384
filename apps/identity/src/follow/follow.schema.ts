import { Schema } from 'mongoose';

/** A user who follows another one. See docs/api/users.md#9. */
export interface FollowDocument {
  /** Id of the form `follower/followed`; unique. */
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
// Followed users and followers, in the order of ids.
followSchema.index({ followerId: 1, followedId: 1 });
followSchema.index({ followedId: 1, followerId: 1 });
