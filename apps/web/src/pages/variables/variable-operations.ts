import {
  createGroupVariable,
  createProjectVariable,
  deleteGroupVariable,
  deleteProjectVariable,
  type GroupRef,
  getGroupVariable,
  getProjectVariable,
  listGroupVariables,
  listProjectVariables,
  type ProjectRef,
  updateGroupVariable,
  updateProjectVariable,
} from '@moothall/contracts';
import { type SettingsOf, settingsOfGroup, settingsOfProject } from '../../parts/settings-of';

const projectOperations = {
  list: listProjectVariables,
  get: getProjectVariable,
  create: createProjectVariable,
  update: updateProjectVariable,
  remove: deleteProjectVariable,
};

const groupOperations = {
  list: listGroupVariables,
  get: getGroupVariable,
  create: createGroupVariable,
  update: updateGroupVariable,
  remove: deleteGroupVariable,
};

/** Variables of a project or a group: the operations on them have the same parameters. */
export interface VariablesOf<T> extends SettingsOf<T> {
  operations: typeof projectOperations | typeof groupOperations;
}

export const ofProject: VariablesOf<ProjectRef> = { ...settingsOfProject, operations: projectOperations };
export const ofGroup: VariablesOf<GroupRef> = { ...settingsOfGroup, operations: groupOperations };
