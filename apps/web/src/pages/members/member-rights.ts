import { type GroupRef, type Member, type ProjectRef, reaches } from '@moothall/contracts';
import type { Visit } from '../../visit/visits';
import type { MembersOf } from './member-operations';

/** What a visitor may change. */
export interface MemberRights {
  /** Levels that the visitor may grant; empty for those who may not add members. */
  grants: readonly number[];
  mayChange(member: Member): boolean;
  mayLeave(member: Member): boolean;
}

/** Nobody grants more than the own level, or changes a member above it. Source: docs/api/members.md#1. */
export async function readMemberRights<T extends ProjectRef | GroupRef>(
  visit: Visit,
  { operations, levels, ownerIdOf }: MembersOf<T>,
  parent: T,
): Promise<MemberRights> {
  const [adds, removes] = await Promise.all([visit.may(operations.add, parent), visit.may(operations.remove, parent)]);
  const grants = adds ? levels.filter((level) => reaches(parent, level)) : [];
  const ownerId = ownerIdOf(parent);
  return {
    grants,
    mayChange: ({ id, access_level }) => id !== ownerId && grants.includes(access_level),
    mayLeave: ({ id }) => removes && id !== ownerId && id === visit.caller?.id,
  };
}
