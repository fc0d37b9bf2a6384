import { Schema } from 'mongoose';
import type { SourceKey } from '../member/source';

/** An invitation to become a member, by email address. */
export interface InvitationDocument {
  _id: number;
  source: SourceKey;
  email: string;
  /** In lower case. */
  emailKey: string;
  accessLevel: number;
  /** Last day of the membership. */
  expiresAt: string | null;
  createdById: number;
  createdAt: Date;
}

export const invitationSchema = new Schema<InvitationDocument>(
  {
    _id: { type: Number, required: true },
    source: { type: String, required: true },
    email: { type: String, required: true },
    emailKey: { type: String, required: true },
    accessLevel: { type: Number, required: true },
    expiresAt: { type: String, default: null },
    createdById: { type: Number, required: true },
  },
  { collection: 'invitations', timestamps: { createdAt: true, updatedAt: false } },
);
// Invitations of a project or group; one per address.
invitationSchema.index({ source: 1, emailKey: 1 }, { unique: true });
// Invitations of an address.
invitationSchema.index({ emailKey: 1 });
