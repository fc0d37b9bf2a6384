import type { Ability } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A level with additional abilities. See docs/api/members.md#6. */
export interface MemberRoleDocument {
  _id: number;
  /** The group whose members, and those of everything below, may have it; null for all groups. */
  groupId: number | null;
  name: string;
  description: string | null;
  baseAccessLevel: number;
  abilities: Ability[];
  /** Set while a deletion checks whether the role is in use. A new member with the role removes it. */
  endingId?: string;
}

/** Above the number of abilities; each is listed once. */
const mostAbilities = 100;

export const memberRoleSchema = new Schema<MemberRoleDocument>(
  {
    _id: { type: Number, required: true },
    groupId: { type: Number, default: null },
    name: { type: String, required: true },
    description: { type: String, default: null },
    baseAccessLevel: { type: Number, required: true },
    abilities: { type: [String], default: [], most: mostAbilities },
    endingId: String,
  },
  { versionKey: false, collection: 'member_roles' },
);
// Roles of a group, or of the instance.
memberRoleSchema.index({ groupId: 1, _id: 1 });
