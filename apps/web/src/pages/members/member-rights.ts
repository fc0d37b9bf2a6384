import type { Member } from '@moothall/contracts';
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
export async function readMemberRights<T extends { id: number }>(
  visit: Visit,
  { operations, levels, ownerIdOf, reaches }: MembersOf<T>,
  parent: T,
): Promise<MemberRights> {
  const [adds, removes, reached] = await Promise.all([
    visit.may(operations.add, parent),
    visit.may(operations.remove, parent),
    Promise.all(levels.map((level) => reaches(visit, parent, level))),
  ]);
  const grants = adds ? levels.filter((_level, at) => reached[at]) : [];
  const ownerId = ownerIdOf(parent);
  return {
    grants,
    mayChange: ({ id, access_level }) => id !== ownerId && grants.includes(access_level),
    mayLeave: ({ id }) => removes && id !== ownerId && id === visit.caller?.id,
  };
}
