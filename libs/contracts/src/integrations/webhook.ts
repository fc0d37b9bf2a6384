import { z } from 'zod';
import {
  Access,
  type AccessLevel,
  del,
  get,
  id,
  nothing,
  ofGroups,
  ofProjects,
  operation,
  type Parent,
  type ParentRule,
  page,
  post,
  put,
} from '../operation';
import { HookEvent, HookFacts, hookEventFilter, hookOptions, hookUrl, hookUrlRefusals, Resent } from './hook';

/** Events of hooks of projects and groups, and their defaults. See docs/api/hooks.md#3. */
export const webhookSwitches = {
  push_events: true,
  tag_push_events: false,
  issues_events: false,
  confidential_issues_events: false,
  note_events: false,
  confidential_note_events: false,
  merge_requests_events: false,
  job_events: false,
  pipeline_events: false,
  wiki_page_events: false,
  deployment_events: false,
  releases_events: false,
  milestone_events: false,
  feature_flag_events: false,
  emoji_events: false,
  resource_access_token_events: false,
  repository_update_events: false,
  vulnerability_events: false,
} as const;

/** Additional events of group hooks. */
export const groupHookSwitches = {
  ...webhookSwitches,
  member_events: false,
  subgroup_events: false,
  project_events: false,
};

type Named<S extends object, T extends z.ZodType> = { [K in keyof S]: T };

/** The same schema for each event, with its description. */
const forEach = <S extends object, T extends z.ZodType>(switches: S, schema: (about: string) => T) =>
  Object.fromEntries(
    Object.keys(switches).map((name) => [name, schema(name.replace(/_events$/, '').replaceAll('_', ' '))]),
  ) as Named<S, T>;

const shown = () => z.boolean();
const given = (about: string) => z.boolean().optional().describe(`Send this: ${about}`);

export const ProjectHook = HookFacts.extend({ project_id: id, ...forEach(webhookSwitches, shown) });
export type ProjectHook = z.infer<typeof ProjectHook>;
export const GroupHook = HookFacts.extend({ group_id: id, ...forEach(groupHookSwitches, shown) });
export type GroupHook = z.infer<typeof GroupHook>;

const refusals = [...hookUrlRefusals, 'common.invalid_record for branch filters'];

/** @param level from which on hooks are seen and changed */
function hooksOf<R extends ParentRule, S extends object, H extends z.ZodType>(
  { kind, path, ref, on }: Parent<R>,
  { level, switches, Hook }: { level: AccessLevel; switches: S; Hook: H },
) {
  const managed = on({ level, ability: 'admin_web_hook' });
  const hook = { ...ref, hook_id: id };
  const options = { ...forEach(switches, given), ...hookOptions };
  return {
    list: operation({
      name: `integrations.${kind}-hooks.list`,
      summary: `Hooks of a ${kind}`,
      http: get(`${path}/hooks`),
      access: managed,
      input: z.object(ref),
      output: page(Hook),
    }),
    get: operation({
      name: `integrations.${kind}-hooks.get`,
      summary: `One hook of a ${kind}`,
      refusals: ['hook.not_found'],
      http: get(`${path}/hooks/:hook_id`),
      access: managed,
      input: z.object(hook),
      output: Hook,
    }),
    create: operation({
      name: `integrations.${kind}-hooks.create`,
      summary: `Add a hook to a ${kind}`,
      description: 'Unless given, `push_events` is on and the other switches are off.',
      refusals: [...refusals, 'hook.too_many'],
      http: post(`${path}/hooks`),
      access: managed,
      input: z.object({ ...ref, url: hookUrl, ...options }),
      output: Hook,
    }),
    update: operation({
      name: `integrations.${kind}-hooks.update`,
      summary: `Change a hook of a ${kind}`,
      description: 'A hook that was switched off because its receiver failed is on again.',
      refusals: ['hook.not_found', ...refusals],
      http: put(`${path}/hooks/:hook_id`),
      access: managed,
      input: z.object({ ...hook, url: hookUrl.optional(), ...options }),
      output: Hook,
    }),
    delete: operation({
      name: `integrations.${kind}-hooks.delete`,
      summary: `Delete a hook of a ${kind}`,
      refusals: ['hook.not_found'],
      http: del(`${path}/hooks/:hook_id`),
      access: managed,
      input: z.object(hook),
      output: nothing(),
    }),
    test: operation({
      name: `integrations.${kind}-hooks.test`,
      summary: `Test a hook of a ${kind}`,
      description: 'Sends a sample of that event now. A successful test enables a disabled hook.',
      refusals: ['hook.not_found', 'hook.not_delivered'],
      http: post(`${path}/hooks/:hook_id/test/:trigger`),
      access: managed,
      input: z.object({
        ...hook,
        trigger: z.enum(Object.keys(switches) as [string, ...string[]]).describe('The switch of the event'),
      }),
      output: z.object({ message: z.string() }),
      timeoutSeconds: 90,
    }),
    listEvents: operation({
      name: `integrations.${kind}-hooks.list-events`,
      summary: `Recent events of a hook of a ${kind}`,
      description: 'The latest first, for a week.',
      refusals: ['hook.not_found'],
      http: get(`${path}/hooks/:hook_id/events`),
      access: managed,
      input: z.object({ ...hook, ...hookEventFilter }),
      output: page(HookEvent),
    }),
    getEvent: operation({
      name: `integrations.${kind}-hooks.get-event`,
      onPages: true,
      isRead: true,
      refusals: ['hook.not_found', 'hook.event_not_found'],
      access: managed,
      input: z.object({ ...hook, hook_event_id: id }),
      output: HookEvent,
    }),
    resend: operation({
      name: `integrations.${kind}-hooks.resend-event`,
      summary: `Resend an event to a hook of a ${kind}`,
      refusals: ['hook.not_found', 'hook.event_not_found', 'hook.not_delivered'],
      http: post(`${path}/hooks/:hook_id/events/:hook_event_id/resend`),
      access: managed,
      input: z.object({ ...hook, hook_event_id: id }),
      output: Resent,
      timeoutSeconds: 90,
    }),
  };
}

export const {
  list: listProjectHooks,
  get: getProjectHook,
  create: createProjectHook,
  update: updateProjectHook,
  delete: deleteProjectHook,
  test: testProjectHook,
  listEvents: listProjectHookEvents,
  getEvent: getProjectHookEvent,
  resend: resendProjectHookEvent,
} = hooksOf(ofProjects, { level: Access.Maintainer, switches: webhookSwitches, Hook: ProjectHook });

export const {
  list: listGroupHooks,
  get: getGroupHook,
  create: createGroupHook,
  update: updateGroupHook,
  delete: deleteGroupHook,
  test: testGroupHook,
  listEvents: listGroupHookEvents,
  getEvent: getGroupHookEvent,
  resend: resendGroupHookEvent,
} = hooksOf(ofGroups, { level: Access.Owner, switches: groupHookSwitches, Hook: GroupHook });
