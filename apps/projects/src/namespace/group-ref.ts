import type { Ability, AccessLevel, GroupRef } from '@moothall/contracts';
import type { NamespaceDocument } from './namespace.schema';

/** The reference to a group that other services get. */
export const groupRefOf = (
  group: NamespaceDocument,
  accessLevel: AccessLevel,
  abilities: Ability[] = [],
): GroupRef => ({
  id: group._id,
  name: group.name,
  path: group.path,
  fullPath: group.fullPath,
  fullName: group.fullName,
  parentId: group.parentId,
  ancestorIds: group.ancestorIds,
  visibility: group.visibility,
  createdAt: group.createdAt.toISOString(),
  accessLevel,
  ...(abilities.length > 0 && { abilities }),
});
