import { Schema } from 'mongoose';

/** A browser session. */
export interface Session {
  /** SHA-256 of the cookie. */
  _id: string;
  userId: number;
  /** False until the second factor is given. */
  isComplete: boolean;
  createdAt: Date;
  expiresAt: Date;
  ip: string;
  userAgent: string;
}

export const sessionSchema = new Schema<Session>(
  { _id: String, userId: Number, isComplete: Boolean, createdAt: Date, expiresAt: Date, ip: String, userAgent: String },
  { versionKey: false, collection: 'sessions' },
);

sessionSchema.index({ userId: 1 });
sessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
