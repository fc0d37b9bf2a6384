import { type Scope, scopes } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A consent that the application has not exchanged yet; valid once and for ten minutes. */
export interface AuthorizationCode {
  /** SHA-256 of the code. */
  _id: string;
  applicationId: number;
  userId: number;
  /** Null if the request named none, and the only registered one was used. */
  redirectUri: string | null;
  scopes: Scope[];
  codeChallenge: string | null;
  codeChallengeMethod: 'S256' | 'plain' | null;
  nonce: string | null;
  /** Time of the user's sign-in. */
  authenticatedAt: Date;
  familyId: string;
  expiresAt: Date;
  usedAt: Date | null;
}

const keptAfterExpirySeconds = 24 * 60 * 60;

export const authorizationCodeSchema = new Schema<AuthorizationCode>(
  {
    _id: String,
    applicationId: Number,
    userId: Number,
    redirectUri: { type: String, default: null },
    scopes: { type: [String], most: scopes.length },
    codeChallenge: { type: String, default: null },
    codeChallengeMethod: { type: String, default: null },
    nonce: { type: String, default: null },
    authenticatedAt: Date,
    familyId: String,
    expiresAt: Date,
    usedAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'authorization_codes' },
);

// Stored for a while after they expire: a second use shows a theft.
authorizationCodeSchema.index({ expiresAt: 1 }, { expireAfterSeconds: keptAfterExpirySeconds });
