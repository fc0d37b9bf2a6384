import {
  Access,
  addGroupMember,
  addProjectMember,
  type GroupRef,
  getGroupMember,
  getProjectMember,
  listAllGroupMembers,
  listAllProjectMembers,
  listGroupMembers,
  listProjectMembers,
  type ProjectRef,
  removeGroupMember,
  removeProjectMember,
  updateGroupMember,
  updateProjectMember,
} from '@moothall/contracts';
import type { Content } from '../../page/page';
import { below, belowGroup } from '../../parts/code-address';
import { inGroup } from '../../parts/in-group';
import { inProject } from '../../parts/in-project';
import type { Visit } from '../../visit/visits';

const projectOperations = {
  list: listProjectMembers,
  listAll: listAllProjectMembers,
  get: getProjectMember,
  add: addProjectMember,
  update: updateProjectMember,
  remove: removeProjectMember,
};

const groupOperations = {
  list: listGroupMembers,
  listAll: listAllGroupMembers,
  get: getGroupMember,
  add: addGroupMember,
  update: updateGroupMember,
  remove: removeGroupMember,
};

/** Members of a project or a group: the operations on them have the same parameters. */
export interface MembersOf<T> {
  kind: 'project' | 'group';
  operations: typeof projectOperations | typeof groupOperations;
  /** Levels that a direct member can have. Source: docs/api/members.md#1. */
  levels: readonly number[];
  /** The path of their list. */
  pathIn(parent: T): string;
  /** A page of the project or the group. */
  within(visit: Visit, parent: T, content: Content): Promise<Content>;
  /** The owner of a personal project, whose membership nobody changes. */
  ownerIdOf(parent: T): number | undefined;
}

const levels = [Access.Guest, Access.Reporter, Access.Developer, Access.Maintainer];

export const ofProject: MembersOf<ProjectRef> = {
  kind: 'project',
  operations: projectOperations,
  levels,
  pathIn: (project) => below(project, 'project_members'),
  within: inProject,
  ownerIdOf: ({ ownerId }) => ownerId,
};

export const ofGroup: MembersOf<GroupRef> = {
  kind: 'group',
  operations: groupOperations,
  levels: [...levels, Access.Owner],
  pathIn: (group) => belowGroup(group, 'group_members'),
  within: inGroup,
  ownerIdOf: () => undefined,
};
