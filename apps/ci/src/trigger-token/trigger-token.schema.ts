import { sealedFields } from '@moothall/database';
import { Schema } from 'mongoose';

/** A token with which another system runs pipelines of a project. */
export interface TriggerToken {
  _id: number;
  projectId: number;
  ownerId: number;
  description: string;
  tokenSha256: string;
  /** Its owner can see it again. */
  sealed: string;
  lastUsedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export const triggerTokenSchema = new Schema<TriggerToken>(
  {
    _id: Number,
    projectId: Number,
    ownerId: Number,
    description: String,
    tokenSha256: String,
    sealed: String,
    lastUsedAt: { type: Date, default: null },
  },
  { timestamps: true, versionKey: false, collection: 'triggers' },
);
// Lists of a project, and its end.
triggerTokenSchema.index({ projectId: 1, _id: 1 });
// By the token of a request.
triggerTokenSchema.index({ tokenSha256: 1 }, { unique: true });
// Tokens of a deleted user.
triggerTokenSchema.index({ ownerId: 1 });
triggerTokenSchema.plugin(sealedFields, ['sealed']);
