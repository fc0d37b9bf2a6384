import { z } from 'zod';
import { get, groupRef, mutuallyExclusive, onGroup, onProject, operation, projectRef, signedIn } from '../../operation';
import { issueFilters, scope, searchIn } from '../issuable/issuable-filters';

/** See docs/api/issues.md#6. */
export const IssueStatistics = z.object({
  statistics: z.object({ counts: z.object({ all: z.int(), closed: z.int(), opened: z.int() }) }),
});
export type IssueStatistics = z.infer<typeof IssueStatistics>;

const filters = {
  ...issueFilters,
  state: z.enum(['opened', 'closed', 'all']).optional().describe('Changes nothing: all states are counted'),
};
const oneAuthor = mutuallyExclusive('author_id', 'author_username');
const oneAssignee = mutuallyExclusive('assignee_id', 'assignee_username');

/** See docs/api/issues.md#6. */
export const getIssuesStatistics = operation({
  name: 'collaboration.issue-statistics.get',
  description: 'Counts over all projects that the caller reads.',
  http: get('/issues_statistics'),
  access: signedIn(),
  summary: 'Counts of issues by state in the instance',
  input: z
    .object({ ...filters, in: searchIn, scope: scope('created_by_me') })
    .refine(...oneAuthor)
    .refine(...oneAssignee),
  output: IssueStatistics,
});

export const getGroupIssuesStatistics = operation({
  name: 'collaboration.issue-statistics.get-of-group',
  description: 'Counts over a group with its subgroups; archived projects are left out.',
  http: get('/groups/:id/issues_statistics'),
  access: onGroup(),
  summary: 'Counts of issues by state in a group and its subgroups',
  input: z
    .object({ ...groupRef, ...filters, scope: scope('all') })
    .refine(...oneAuthor)
    .refine(...oneAssignee),
  output: IssueStatistics,
});

export const getProjectIssuesStatistics = operation({
  name: 'collaboration.issue-statistics.get-of-project',
  http: get('/projects/:id/issues_statistics'),
  access: onProject({ feature: 'issues', isSummary: true }),
  summary: 'Counts of issues by state in a project',
  input: z
    .object({ ...projectRef, ...filters, scope: scope('all') })
    .refine(...oneAuthor)
    .refine(...oneAssignee),
  output: IssueStatistics,
});
