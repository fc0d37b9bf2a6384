import {
  createGroupBadge,
  createProjectBadge,
  deleteGroupBadge,
  deleteProjectBadge,
  type Group,
  getGroupBadge,
  getProjectBadge,
  listGroupBadges,
  listProjectBadges,
  type Project,
  updateGroupBadge,
  updateProjectBadge,
} from '@moothall/contracts';
import { type SettingsOf, settingsOfGroup, settingsOfProject } from '../../parts/settings-of';

const projectOperations = {
  list: listProjectBadges,
  get: getProjectBadge,
  create: createProjectBadge,
  update: updateProjectBadge,
  remove: deleteProjectBadge,
};

const groupOperations = {
  list: listGroupBadges,
  get: getGroupBadge,
  create: createGroupBadge,
  update: updateGroupBadge,
  remove: deleteGroupBadge,
};

/** Badges of a project or a group: the operations on them have the same parameters. */
export interface BadgesOf<T> extends SettingsOf<T> {
  operations: typeof projectOperations | typeof groupOperations;
}

export const ofProject: BadgesOf<Project> = { ...settingsOfProject, operations: projectOperations };
export const ofGroup: BadgesOf<Group> = { ...settingsOfGroup, operations: groupOperations };
