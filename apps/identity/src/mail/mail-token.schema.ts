import { Schema } from 'mongoose';

/** A link that was mailed: good once, and for a while. */
export interface MailToken {
  /** SHA-256 of the token in the link. */
  _id: string;
  purpose: 'reset_password' | 'confirm_email';
  userId: number;
  /** The address that it was sent to. */
  email: string;
  expiresAt: Date;
}

export const mailTokenSchema = new Schema<MailToken>(
  { _id: String, purpose: String, userId: Number, email: String, expiresAt: Date },
  { versionKey: false, collection: 'mail_tokens' },
);

mailTokenSchema.index({ userId: 1, purpose: 1 });
mailTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
