import type { GroupRef, ProjectRef } from '@moothall/contracts';

/** The owner of variables: `instance`, `group 5`, `project 7`. */
export type VariableOwner = 'instance' | `${'group' | 'project'} ${number}`;

/** The owner by an operation's context: the project or group of its path, else the instance. */
export function ownerOf({
  project,
  group,
}: {
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
}): VariableOwner {
  if (project) return `project ${project.id}`;
  return group ? `group ${group.id}` : 'instance';
}

/** The owners of variables for a project's jobs. Later ones override earlier ones. See docs/api/pipelines.md#10. */
export const ownersAbove = ({ id, groupIds }: Pick<ProjectRef, 'id' | 'groupIds'>): VariableOwner[] => [
  'instance',
  ...groupIds.toReversed().map((group) => `group ${group}` as const),
  `project ${id}`,
];
