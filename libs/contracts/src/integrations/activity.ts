import { z } from 'zod';
import { Note } from '../collaboration/noteable/note';
import { UserSummary } from '../identity/user';
import { anyone, date, get, id, onProject, operation, page, projectRef, signedIn, time } from '../operation';

/** Actions of users, as filters of lists of events. */
export const activityActions = [
  'approved',
  'closed',
  'commented',
  'created',
  'destroyed',
  'expired',
  'joined',
  'left',
  'merged',
  'pushed',
  'reopened',
  'updated',
] as const;
export type ActivityAction = (typeof activityActions)[number];

export const activityTargets = [
  'design',
  'epic',
  'issue',
  'merge_request',
  'milestone',
  'note',
  'project',
  'snippet',
  'user',
  'wiki_page',
] as const;
export type ActivityTarget = (typeof activityTargets)[number];

/** See docs/api/events.md#2. */
export const Activity = z.object({
  id,
  project_id: id.nullable(),
  action_name: z.string(),
  target_id: id.nullable(),
  target_iid: id.nullable(),
  target_type: z.string().nullable(),
  target_title: z.string().nullable(),
  author_id: id,
  author: UserSummary,
  author_username: z.string(),
  created_at: time,
  note: Note.optional().describe('Of comments'),
  push_data: z
    .object({
      commit_count: z.int(),
      action: z.enum(['created', 'removed', 'pushed']),
      ref_type: z.enum(['branch', 'tag']),
      commit_from: z.string().nullable(),
      commit_to: z.string().nullable(),
      ref: z.string(),
      commit_title: z.string().nullable(),
      ref_count: z.int().nullable(),
    })
    .optional()
    .describe('Of pushes'),
  wiki_page: z.object({ format: z.string(), slug: z.string(), title: z.string() }).optional().describe('Of wiki pages'),
  imported: z.literal(false),
  imported_from: z.literal('none'),
});
export type Activity = z.infer<typeof Activity>;

const filters = {
  action: z.enum(activityActions).optional().describe('Only activities with this action'),
  target_type: z.enum(activityTargets).optional().describe('Only activities on this type'),
  before: date.optional().describe('Only events of earlier days'),
  after: date.optional().describe('Only events of later days'),
  sort: z.enum(['asc', 'desc']).default('desc'),
};

export const listOwnEvents = operation({
  name: 'integrations.events.list-own',
  summary: 'Activities of the caller',
  http: get('/events'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({
    scope: z.enum(['all']).optional().describe('`all` lists activities of all users in the projects of the caller'),
    ...filters,
  }),
  output: page(Activity),
});

export const listProjectEvents = operation({
  name: 'integrations.events.list-of-project',
  summary: 'Activities in a project',
  http: get('/projects/:id/events'),
  access: onProject({ anonymous: true }),
  input: z.object({ ...projectRef, ...filters }),
  output: page(Activity),
});

export const listUserEvents = operation({
  name: 'integrations.events.list-of-user',
  summary: 'Activities of a user that the caller may see',
  refusals: ['user.not_found'],
  http: get('/users/:id/events'),
  access: anyone(),
  scopes: ['read_user'],
  input: z.object({ id: z.string().describe('Id or username'), ...filters }),
  output: page(Activity),
});
