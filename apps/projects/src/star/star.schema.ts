import { Schema } from 'mongoose';

/** A user's bookmark of a project. */
export interface StarDocument {
  /** `project/user`; one star each. */
  _id: string;
  projectId: number;
  userId: number;
  starredAt: Date;
}

export const starSchema = new Schema<StarDocument>(
  {
    _id: { type: String, required: true },
    projectId: { type: Number, required: true },
    userId: { type: Number, required: true },
    starredAt: { type: Date, required: true },
  },
  { collection: 'stars' },
);
// Stars of a project, and their number.
starSchema.index({ projectId: 1, userId: 1 });
// Stars of a user.
starSchema.index({ userId: 1 });
