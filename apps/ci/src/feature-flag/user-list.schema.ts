import { Schema } from 'mongoose';

/** Users as a program names them. */
export interface UserListRecord {
  _id: number;
  iid: number;
  projectId: number;
  name: string;
  userXids: string;
  createdAt: Date;
  updatedAt: Date;
}

export const userListSchema = new Schema<UserListRecord>(
  { _id: Number, iid: Number, projectId: Number, name: String, userXids: String },
  { timestamps: true, versionKey: false, collection: 'feature_flag_user_lists' },
);
// By its number, and lists in that order.
userListSchema.index({ projectId: 1, iid: 1 }, { unique: true });
// One of a name.
userListSchema.index({ projectId: 1, name: 1 }, { unique: true });
