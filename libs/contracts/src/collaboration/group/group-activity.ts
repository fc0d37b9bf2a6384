import { z } from 'zod';
import { get, operation, signedIn } from '../../operation';

const input = z.object({ group_path: z.string().min(1).describe('Full path of the group') });

/** See docs/api/groups.md#4. */
export const countGroupIssues = operation({
  name: 'collaboration.group-activity.count-issues',
  description: 'Issues opened in the last 90 days that the caller sees, nested groups included.',
  http: get('/analytics/group_activity/issues_count'),
  access: signedIn(),
  tier: 'enterprise',
  withoutTier: 'forbidden',
  summary: 'Issues opened in a group in the last 90 days',
  input,
  output: z.object({ issues_count: z.int() }),
});

export const countGroupMergeRequests = operation({
  name: 'collaboration.group-activity.count-merge-requests',
  http: get('/analytics/group_activity/merge_requests_count'),
  access: signedIn(),
  tier: 'enterprise',
  withoutTier: 'forbidden',
  summary: 'Merge requests opened in a group in the last 90 days',
  input,
  output: z.object({ merge_requests_count: z.int() }),
});
