import { z } from 'zod';
import { administrator, get, operation } from '../operation';

const counted = z.string().describe('A number with commas between thousands');

/** The number of records of each kind. See docs/api/instance.md#6. */
export const getApplicationStatistics = operation({
  name: 'projects.application-statistics.get',
  summary: 'How much there is on the instance',
  description: 'Estimates of the database: records that are being created or removed may be included.',
  http: get('/application/statistics'),
  access: administrator(),
  input: z.object({}),
  output: z.object({
    forks: counted,
    issues: counted,
    merge_requests: counted,
    notes: counted,
    snippets: counted,
    ssh_keys: counted,
    milestones: counted,
    users: counted,
    projects: counted,
    groups: counted,
    active_users: counted,
  }),
});
