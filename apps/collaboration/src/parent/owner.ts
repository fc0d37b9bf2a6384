import type { GroupRef, ProjectRef } from '@moothall/contracts';

/** Owner of a label, milestone or board: `project/12` or `group/5`. One field, so that one index serves both. */
export type OwnerKey = `project/${number}` | `group/${number}`;

export const projectOwner = (id: number): OwnerKey => `project/${id}`;
export const groupOwner = (id: number): OwnerKey => `group/${id}`;

export function ownerParts(owner: OwnerKey): { kind: 'project' | 'group'; id: number } {
  const [kind, id] = owner.split('/') as ['project' | 'group', string];
  return { kind, id: Number(id) };
}

/** Owners whose records a project may use: itself, and the groups above it. */
export const ownersForProject = (project: Pick<ProjectRef, 'id' | 'groupIds'>): OwnerKey[] => [
  projectOwner(project.id),
  ...project.groupIds.map(groupOwner),
];

/** The same for a group. */
export const ownersForGroup = (group: Pick<GroupRef, 'id' | 'ancestorIds'>): OwnerKey[] => [
  groupOwner(group.id),
  ...group.ancestorIds.map(groupOwner),
];
