import type { Ability } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A level, and what its holders may do beyond it. See docs/api/members.md#6. */
export interface MemberRoleDocument {
  _id: number;
  /** The group whose members, and those of all below it, may have it; null for those of all groups. */
  groupId: number | null;
  name: string;
  description: string | null;
  baseAccessLevel: number;
  abilities: Ability[];
  /** The mark of a deletion that checks whether the role is in use. A new member with the role removes it. */
  endingId?: string;
}

/** More than there are; each stands once. */
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
// The list of a group, or of the instance.
memberRoleSchema.index({ groupId: 1, _id: 1 });
