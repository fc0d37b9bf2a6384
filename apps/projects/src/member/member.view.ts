import type { Member, UserSummary } from '@moothall/contracts';
import type { MemberDocument } from './member.schema';
import type { MemberRoleDocument } from './member-role.schema';
import { viewMemberRole } from './member-role.view';
import { isHeld } from './role-rules';

/** @param role the role of the membership, if members of its source may have it */
export const viewMember = (
  member: MemberDocument,
  user: UserSummary,
  role?: MemberRoleDocument | undefined,
): Member => ({
  ...user,
  access_level: member.accessLevel,
  created_at: member.createdAt.toISOString(),
  expires_at: member.expiresAt,
  ...(role && isHeld(role, member) && { member_role: viewMemberRole(role) }),
});
