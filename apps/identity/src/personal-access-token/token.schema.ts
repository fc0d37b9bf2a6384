import { type Scope, scopes } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** Personal tokens of users, impersonation tokens of administrators, and tokens of a project or group. */
export type TokenKind = 'personal' | 'impersonation' | 'project' | 'group';

export interface AccessToken extends Outboxed {
  _id: number;
  kind: TokenKind;
  userId: number;
  /** For tokens of projects and groups: the project or group, and the level of the bot in it. */
  projectId: number | null;
  groupId?: number | null | undefined;
  accessLevel: number | null;
  name: string;
  description: string | null;
  scopes: Scope[];
  /** The token itself is not stored. */
  sha256: string;
  createdAt: Date;
  /** Valid until the start of this day, UTC. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Written at most once a minute. */
  lastUsedAt: Date | null;
  /** For a rotated token: the first one of its chain. */
  familyId?: number | undefined;
}

const optional = { default: null };

export const tokenSchema = new Schema<AccessToken>(
  {
    _id: Number,
    kind: String,
    userId: Number,
    projectId: { type: Number, ...optional },
    groupId: Number,
    familyId: Number,
    accessLevel: { type: Number, ...optional },
    name: String,
    description: { type: String, ...optional },
    scopes: { type: [String], most: scopes.length },
    sha256: String,
    expiresAt: { type: Date, ...optional },
    revokedAt: { type: Date, ...optional },
    lastUsedAt: { type: Date, ...optional },
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false, collection: 'access_tokens' },
);

// Used by every request whose token the gateway has not cached.
tokenSchema.index({ sha256: 1 }, { unique: true });
// Lists of a user's tokens, of one kind, newest last.
tokenSchema.index({ userId: 1, kind: 1, _id: 1 });
tokenSchema.index({ kind: 1, _id: 1 });
tokenSchema.index({ projectId: 1, _id: 1 });
tokenSchema.index({ groupId: 1, _id: 1 }, { sparse: true });
// Successors of a rotated token that is used again.
tokenSchema.index({ familyId: 1 }, { sparse: true });
tokenSchema.plugin(outboxed);
