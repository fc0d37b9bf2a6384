import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import type { SourceKey } from './source';

export interface MemberDocument extends Outboxed {
  _id: number;
  source: SourceKey;
  userId: number;
  accessLevel: number;
  /** Date as YYYY-MM-DD on which the membership ends. */
  expiresAt: string | null;
  /** Its role, valid while the level is the role's base level; a deleted role counts as none. */
  memberRoleId?: number;
  createdById?: number;
  createdAt: Date;
  updatedAt: Date;
}

export const memberSchema = new Schema<MemberDocument>(
  {
    _id: { type: Number, required: true },
    source: { type: String, required: true },
    userId: { type: Number, required: true },
    accessLevel: { type: Number, required: true },
    expiresAt: { type: String, default: null },
    memberRoleId: Number,
    createdById: Number,
  },
  { collection: 'members', timestamps: true },
);
// One membership per user; lists by ascending user id.
memberSchema.index({ source: 1, userId: 1 }, { unique: true });
// Memberships of a user; used by every uncached request, together with the sources of one project.
memberSchema.index({ userId: 1, source: 1 });
// Recent members.
memberSchema.index({ source: 1, createdAt: 1 });
// Expired memberships.
memberSchema.index({ expiresAt: 1 }, { partialFilterExpression: { expiresAt: { $type: 'string' } } });
// Whether a role is in use.
memberSchema.index({ memberRoleId: 1, source: 1 }, { partialFilterExpression: { memberRoleId: { $type: 'number' } } });
memberSchema.plugin(outboxed);
