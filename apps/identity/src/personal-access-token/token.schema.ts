import type { Scope } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';

/** Who made the token and for what: users for themselves, administrators as somebody, maintainers for a project. */
export type TokenKind = 'personal' | 'impersonation' | 'project';

export interface AccessToken extends Outboxed {
  _id: number;
  kind: TokenKind;
  userId: number;
  /** For project tokens: the project, and the level of the bot in it. */
  projectId: number | null;
  accessLevel: number | null;
  name: string;
  description: string | null;
  scopes: Scope[];
  /** All that is kept of the token itself. */
  sha256: string;
  createdAt: Date;
  /** Good until the day begins, UTC. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Written at most once a minute. */
  lastUsedAt: Date | null;
}

const optional = { default: null };

export const tokenSchema = new Schema<AccessToken>(
  {
    _id: Number,
    kind: String,
    userId: Number,
    projectId: { type: Number, ...optional },
    accessLevel: { type: Number, ...optional },
    name: String,
    description: { type: String, ...optional },
    scopes: [String],
    sha256: String,
    expiresAt: { type: Date, ...optional },
    revokedAt: { type: Date, ...optional },
    lastUsedAt: { type: Date, ...optional },
  },
  { timestamps: { createdAt: true, updatedAt: false }, versionKey: false, collection: 'access_tokens' },
);

// Every request that the gateway does not know the token of.
tokenSchema.index({ sha256: 1 }, { unique: true });
// Lists of a user's tokens, of one kind, newest last.
tokenSchema.index({ userId: 1, kind: 1, _id: 1 });
tokenSchema.index({ kind: 1, _id: 1 });
tokenSchema.index({ projectId: 1, _id: 1 });
tokenSchema.plugin(outboxed);
