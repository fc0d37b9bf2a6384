import { z } from 'zod';
import { administrator, del, get, id, nothing, operation, page, post, put } from '../operation';
import { HookEvent, HookFacts, hookEventFilter, hookOptions, hookUrl, hookUrlRefusals, Resent } from './hook';

const switches = {
  push_events: z.boolean(),
  tag_push_events: z.boolean(),
  merge_requests_events: z.boolean(),
  repository_update_events: z.boolean(),
};
const named = {
  push_events: switches.push_events.optional().describe('Send pushes to branches'),
  tag_push_events: switches.tag_push_events.optional().describe('Send created and deleted tags'),
  merge_requests_events: switches.merge_requests_events.optional().describe('Send changes of merge requests'),
  repository_update_events: switches.repository_update_events
    .optional()
    .describe('Send one event for all refs of a push'),
};

/** A hook of the instance. See docs/api/hooks.md#2. */
export const SystemHook = HookFacts.extend(switches);
export type SystemHook = z.infer<typeof SystemHook>;

export const listSystemHooks = operation({
  name: 'integrations.system-hooks.list',
  summary: 'Hooks of the instance',
  http: get('/hooks'),
  access: administrator(),
  input: z.object({}),
  output: page(SystemHook),
});

/** The route of the interface tests the hook. */
export const getSystemHook = operation({
  name: 'integrations.system-hooks.get',
  summary: 'One hook of the instance',
  onPages: true,
  isRead: true,
  refusals: ['hook.not_found'],
  access: administrator(),
  input: z.object({ id }),
  output: SystemHook,
});

export const createSystemHook = operation({
  name: 'integrations.system-hooks.create',
  summary: 'Add a hook of the instance',
  description:
    'It always receives events of projects, groups, users, members and keys. By default `repository_update_events` is on and the other switches are off.',
  refusals: [...hookUrlRefusals, 'hook.too_many'],
  http: post('/hooks'),
  access: administrator(),
  input: z.object({ url: hookUrl, ...named, ...hookOptions }),
  output: SystemHook,
});

export const updateSystemHook = operation({
  name: 'integrations.system-hooks.update',
  summary: 'Change a hook of the instance',
  description: 'A hook that was switched off because its receiver failed is on again.',
  refusals: ['hook.not_found', ...hookUrlRefusals],
  http: put('/hooks/:id'),
  access: administrator(),
  input: z.object({ id, url: hookUrl.optional(), ...named, ...hookOptions }),
  output: SystemHook,
});

export const deleteSystemHook = operation({
  name: 'integrations.system-hooks.delete',
  summary: 'Delete a hook of the instance',
  refusals: ['hook.not_found'],
  http: del('/hooks/:id'),
  access: administrator(),
  input: z.object({ id }),
  output: nothing(),
});

/** The payload of a test of an instance hook, and its answer. */
export const ProjectCreated = z.object({
  event_name: z.literal('project_create'),
  name: z.string(),
  path: z.string(),
  project_id: z.int(),
  owner_name: z.string(),
  owner_email: z.string(),
});

export const testSystemHook = operation({
  name: 'integrations.system-hooks.test',
  summary: 'Test a hook of the instance',
  description:
    'Sends it a sample, which is also the answer. The list of its events shows whether the delivery succeeded.',
  refusals: ['hook.not_found'],
  http: [get('/hooks/:id'), post('/hooks/:id')],
  access: administrator(),
  input: z.object({ id }),
  output: ProjectCreated,
  timeoutSeconds: 90,
});

export const listSystemHookEvents = operation({
  name: 'integrations.system-hooks.list-events',
  summary: 'Recent events of a hook of the instance',
  description: 'The latest first, for a week.',
  refusals: ['hook.not_found'],
  http: get('/hooks/:id/events'),
  access: administrator(),
  input: z.object({ id, ...hookEventFilter }),
  output: page(HookEvent),
});

export const getSystemHookEvent = operation({
  name: 'integrations.system-hooks.get-event',
  summary: 'One event of a hook of the instance',
  onPages: true,
  isRead: true,
  refusals: ['hook.not_found', 'hook.event_not_found'],
  access: administrator(),
  input: z.object({ id, hook_event_id: id }),
  output: HookEvent,
});

export const resendSystemHookEvent = operation({
  name: 'integrations.system-hooks.resend-event',
  summary: 'Resend an event to a hook of the instance',
  refusals: ['hook.not_found', 'hook.event_not_found', 'hook.not_delivered'],
  http: post('/hooks/:id/events/:hook_event_id/resend'),
  access: administrator(),
  input: z.object({ id, hook_event_id: id }),
  output: Resent,
  timeoutSeconds: 90,
});
