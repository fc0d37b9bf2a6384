import {
  createGroupBadge,
  createProjectBadge,
  deleteGroupBadge,
  deleteProjectBadge,
  type GroupRef,
  getGroup,
  getGroupBadge,
  getProject,
  getProjectBadge,
  listGroupBadges,
  listProjectBadges,
  type ProjectRef,
  updateGroupBadge,
  updateProjectBadge,
} from '@moothall/contracts';
import { type SettingsOf, settingsOfGroup, settingsOfProject } from '../../parts/settings-of';
import type { Visit } from '../../visit/visits';

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
  readWebUrl(visit: Visit, parent: T): Promise<string>;
}

export const ofProject: BadgesOf<ProjectRef> = {
  ...settingsOfProject,
  operations: projectOperations,
  readWebUrl: async (visit, { id }) => (await visit.ask(getProject, { id: String(id) })).web_url,
};

export const ofGroup: BadgesOf<GroupRef> = {
  ...settingsOfGroup,
  operations: groupOperations,
  readWebUrl: async (visit, { id }) => (await visit.ask(getGroup, { id: String(id), with_projects: false })).web_url,
};
