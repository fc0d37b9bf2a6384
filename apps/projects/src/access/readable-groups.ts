import { Access, type AccessLevel, type Visibility } from '@moothall/contracts';
import type { QueryFilter } from 'mongoose';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import type { UserGrants } from './grants';

const alive = { isDeleting: false } as const;

/**
 * Filter for the groups that a user may see, or has at least a level in. Members of a private group and of the groups
 * above may see it.
 * @param around further visible groups: the user is a member of something inside them
 */
export function groupsReadableBy(
  grants: UserGrants,
  least: AccessLevel = Access.None,
  around: number[] = [],
): QueryFilter<NamespaceDocument> {
  const { userId, isAdmin, isExternal } = grants.principal;
  if (isAdmin) return { ...alive, kind: 'group' };
  const open: Visibility[] = userId !== null && !isExternal ? ['public', 'internal'] : ['public'];
  const mine = grants.sources('group', Math.max(least, Access.Guest));
  const member = [{ _id: { $in: mine } }, { ancestorIds: { $in: mine } }];
  const visible = least === Access.None ? [{ visibility: { $in: open } }, { _id: { $in: around } }] : [];
  return { ...alive, kind: 'group', $or: [...visible, ...member] };
}
