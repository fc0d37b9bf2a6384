import {
  createGroupHook,
  createProjectHook,
  deleteGroupHook,
  deleteProjectHook,
  type GroupRef,
  getGroupHook,
  getGroupHookEvent,
  getProjectHook,
  getProjectHookEvent,
  listGroupHookEvents,
  listGroupHooks,
  listProjectHookEvents,
  listProjectHooks,
  type ProjectRef,
  resendGroupHookEvent,
  resendProjectHookEvent,
  testGroupHook,
  testProjectHook,
  updateGroupHook,
  updateProjectHook,
} from '@moothall/contracts';
import type { FieldFacts } from '../../parts/field-list';
import { type SettingsOf, settingsOfGroup, settingsOfProject } from '../../parts/settings-of';
import { eventFields, groupEventFields } from './hook-events';

const projectOperations = {
  list: listProjectHooks,
  get: getProjectHook,
  create: createProjectHook,
  update: updateProjectHook,
  remove: deleteProjectHook,
  test: testProjectHook,
  listEvents: listProjectHookEvents,
  getEvent: getProjectHookEvent,
  resend: resendProjectHookEvent,
};

const groupOperations = {
  list: listGroupHooks,
  get: getGroupHook,
  create: createGroupHook,
  update: updateGroupHook,
  remove: deleteGroupHook,
  test: testGroupHook,
  listEvents: listGroupHookEvents,
  getEvent: getGroupHookEvent,
  resend: resendGroupHookEvent,
};

/** Webhooks of a project or a group: the operations on them have the same parameters, except for the events. */
export interface HooksOf<T> extends SettingsOf<T> {
  operations: typeof projectOperations | typeof groupOperations;
  /** The events as fields, each with the name of its switch. */
  events: readonly FieldFacts[];
}

export const ofProject: HooksOf<ProjectRef> = {
  ...settingsOfProject,
  operations: projectOperations,
  events: eventFields,
};

export const ofGroup: HooksOf<GroupRef> = {
  ...settingsOfGroup,
  operations: groupOperations,
  events: groupEventFields,
};
