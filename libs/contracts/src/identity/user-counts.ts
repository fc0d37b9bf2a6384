import { z } from 'zod';
import { administrator, anyone, date, get, id, operation, page, signedIn } from '../operation';

const count = z.int().describe('Up to 10,000');

/** See docs/api/users.md#10. */
export const getUserCounts = operation({
  name: 'identity.user-counts.get',
  summary: 'How much waits for the caller',
  http: get('/user_counts'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: z.object({
    merge_requests: count,
    assigned_issues: count,
    assigned_merge_requests: count,
    review_requested_merge_requests: count,
    todos: count,
  }),
});

/** See docs/api/users.md#10. */
export const countAssociations = operation({
  name: 'identity.user-counts.associations',
  summary: 'How much there is of a user',
  description: 'For the user and administrators.',
  refusals: ['user.not_found', 'common.forbidden'],
  http: get('/users/:id/associations_count'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({ id }),
  output: z.object({ groups_count: count, projects_count: count, issues_count: count, merge_requests_count: count }),
});

/** See docs/api/users.md#11. */
export const listActivities = operation({
  name: 'identity.user-activities.list',
  summary: 'Last activity of users, least recently active first',
  http: get('/user/activities'),
  access: administrator(),
  input: z.object({ from: date.optional().describe('Since this day; for six months unless given') }),
  output: page(z.object({ username: z.string(), last_activity_on: date, last_activity_at: date })),
});

/** See docs/api/users.md#12. */
export const getAvatarOfEmail = operation({
  name: 'identity.email-avatars.get',
  summary: 'Avatar of an email address',
  description:
    'The avatar of the user with that public address; otherwise that of the Gravatar service, if the instance uses it.',
  http: get('/avatar'),
  access: anyone(),
  scopes: ['read_user'],
  input: z.object({
    email: z.string().max(255).describe('Address'),
    size: z.int().min(1).max(2048).optional().describe('Side of the picture in pixels, where Gravatar has it'),
  }),
  output: z.object({ avatar_url: z.string().nullable() }),
});
