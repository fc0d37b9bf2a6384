import { type Ability, Access, type AccessLevel, type GroupRef, type ProjectRef } from '@moothall/contracts';

/** A project or group with members, as one indexed value. */
export type SourceKey = `project:${number}` | `group:${number}`;

/** The fields of a project or group that memberships need. */
export interface Source {
  kind: 'project' | 'group';
  id: number;
  key: SourceKey;
  name: string;
  /** `Group / Project`. */
  fullName: string;
  fullPath: string;
  /** Groups whose members are members here as well, nearest first. */
  groupIds: number[];
  /** Levels that a membership here may have. */
  levels: AccessLevel[];
  /** Access level of the caller. */
  accessLevel: AccessLevel;
  /** Abilities that the caller's member roles add to the level. */
  abilities?: Ability[] | undefined;
}

export const projectKey = (id: number): SourceKey => `project:${id}`;
export const groupKey = (id: number): SourceKey => `group:${id}`;

export function keyParts(key: SourceKey): { kind: 'project' | 'group'; id: number } {
  const [kind, id] = key.split(':');
  return { kind: kind === 'project' ? 'project' : 'group', id: Number(id) };
}

const projectLevels: AccessLevel[] = [Access.Guest, Access.Reporter, Access.Developer, Access.Maintainer];
const groupLevels: AccessLevel[] = [...projectLevels, Access.Owner];

export const projectSource = (project: ProjectRef): Source => ({
  kind: 'project',
  id: project.id,
  key: projectKey(project.id),
  name: project.name,
  fullName: project.nameWithNamespace,
  fullPath: project.fullPath,
  groupIds: project.groupIds,
  levels: projectLevels,
  accessLevel: project.accessLevel,
  abilities: project.abilities,
});

export const groupSource = (group: GroupRef): Source => ({
  kind: 'group',
  id: group.id,
  key: groupKey(group.id),
  name: group.name,
  fullName: group.fullName,
  fullPath: group.fullPath,
  groupIds: group.ancestorIds,
  levels: groupLevels,
  accessLevel: group.accessLevel,
  abilities: group.abilities,
});

/** The source and all groups above it, nearest first. */
export const chainOf = (source: Pick<Source, 'key' | 'groupIds'>): SourceKey[] => [
  source.key,
  ...source.groupIds.map(groupKey),
];
