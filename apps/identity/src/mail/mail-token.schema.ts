import { Schema } from 'mongoose';

/** A mailed link: valid once, and for a limited time. */
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
