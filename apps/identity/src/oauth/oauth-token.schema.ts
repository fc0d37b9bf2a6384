import { type Scope, scopes } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** An access token with its refresh token. */
export interface OauthToken extends Outboxed {
  _id: number;
  sha256: string;
  /** Null for the implicit and client credentials grants. */
  refreshSha256: string | null;
  /** Null for a password exchanged without an application. */
  applicationId: number | null;
  /** Null for an application that acts for itself. */
  userId: number | null;
  scopes: Scope[];
  /** Shared by all tokens of one consent, so that one stolen token revokes all. */
  familyId: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  refreshUsedAt: Date | null;
}

export const oauthTokenSchema = new Schema<OauthToken>(
  {
    _id: Number,
    sha256: String,
    refreshSha256: { type: String, default: null },
    applicationId: { type: Number, default: null },
    userId: { type: Number, default: null },
    scopes: { type: [String], most: scopes.length },
    familyId: String,
    expiresAt: Date,
    revokedAt: { type: Date, default: null },
    refreshUsedAt: { type: Date, default: null },
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false, collection: 'oauth_tokens' },
);

oauthTokenSchema.index({ sha256: 1 }, { unique: true });
oauthTokenSchema.index({ refreshSha256: 1 });
oauthTokenSchema.index({ familyId: 1 });
// Authorizations of a user, by application.
oauthTokenSchema.index({ userId: 1, applicationId: 1 });
oauthTokenSchema.index({ applicationId: 1 });
oauthTokenSchema.plugin(outboxed);
