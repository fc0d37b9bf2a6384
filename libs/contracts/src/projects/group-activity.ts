import { z } from 'zod';
import { get, operation, signedIn } from '../operation';

/** See docs/api/groups.md#4. */
export const countNewGroupMembers = operation({
  name: 'projects.group-activity.count-new-members',
  description: 'Users made members of a group, or of a group below, in the last 90 days; each counts once.',
  refusals: ['group.not_found', 'common.forbidden for readers who are no members'],
  http: get('/analytics/group_activity/new_members_count'),
  access: signedIn(),
  tier: 'enterprise',
  withoutTier: 'forbidden',
  summary: 'Members added to a group in the last 90 days',
  input: z.object({ group_path: z.string().min(1).describe('Full path of the group') }),
  output: z.object({ new_members_count: z.int() }),
});
