import type { Member, UserSummary } from '@moothall/contracts';
import type { MemberDocument } from './member.schema';

export const viewMember = (member: MemberDocument, user: UserSummary): Member => ({
  ...user,
  access_level: member.accessLevel,
  created_at: member.createdAt.toISOString(),
  expires_at: member.expiresAt,
});
