import { deployTokenScopes } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** The project or group of a token, and the access that the token grants. */
export interface TokenParent {
  kind: 'project' | 'group';
  id: number;
}

export interface DeployToken extends Outboxed {
  _id: number;
  parent: TokenParent;
  name: string;
  username: string;
  scopes: (typeof deployTokenScopes)[number][];
  /** The token itself is not stored. */
  sha256: string;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export const deployTokenSchema = new Schema<DeployToken>(
  {
    _id: Number,
    parent: { _id: false, type: { kind: String, id: Number } },
    name: String,
    username: String,
    scopes: { type: [String], most: deployTokenScopes.length },
    sha256: String,
    expiresAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false, collection: 'deploy_tokens' },
);

// Used by every request whose token the gateway has not cached.
deployTokenSchema.index({ sha256: 1 }, { unique: true });
// Lists of a project's or group's tokens, and their removal.
deployTokenSchema.index({ 'parent.kind': 1, 'parent.id': 1, _id: 1 });
deployTokenSchema.plugin(outboxed);
