import type { AccessLevel, GroupRef } from '@moothall/contracts';
import type { NamespaceDocument } from './namespace.schema';

/** What the rest of the house is told of a group. */
export const groupRefOf = (group: NamespaceDocument, accessLevel: AccessLevel): GroupRef => ({
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
});
