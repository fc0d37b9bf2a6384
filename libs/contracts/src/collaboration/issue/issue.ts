import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import {
  Access,
  administrator,
  anyone,
  commaList,
  date,
  del,
  errors,
  get,
  groupRef,
  id,
  mutuallyExclusive,
  nothing,
  onGroup,
  onProject,
  operation,
  page,
  post,
  projectRef,
  put,
  someChangeOf,
  timestamp,
} from '../../operation';
import { mostOnBoard } from '../board/board';
import { issueFilters, milestoneIds, negated, scope, searchIn } from '../issuable/issuable-filters';
import { TimeStats } from '../issuable/issuable-view';
import { descriptionLimit, prose, titleLimit, writtenProse } from '../prose/prose';
import { UserAgentDetail } from '../user-agent/user-agent';
import { Issue } from './issue-view';

export const issueErrors = errors('issue', {
  notFound: { status: 404, message: '404 Issue Not Found', means: 'No such issue, or none the caller may see.' },
  iidTaken: {
    status: 409,
    message: 'Duplicated issue',
    means: 'The project has an issue of that number already.',
  },
});

export const issueOrders = [
  'created_at',
  'updated_at',
  'priority',
  'due_date',
  'relative_position',
  'label_priority',
  'milestone_due',
  'popularity',
  'weight',
] as const;

const filters = {
  ...issueFilters,
  in: searchIn,
  state: z.enum(['opened', 'closed', 'all']).default('all'),
  due_date: z
    .enum(['0', 'any', 'today', 'tomorrow', 'overdue', 'week', 'month', 'next_month_and_previous_two_weeks'])
    .optional()
    .describe('0 is without one'),
  weight: z.string().optional().describe("A number, 'None' or 'Any'"),
  epic_id: z.string().optional().describe("Id of an epic, 'None' or 'Any'"),
  iteration_id: z.string().optional().describe("Id of an iteration, 'None' or 'Any'"),
  iteration_title: z.string().optional().describe('Exact'),
};
const list = {
  ...filters,
  order_by: z.enum(issueOrders).default('created_at'),
  sort: z.enum(['asc', 'desc']).default('desc'),
  with_labels_details: z.boolean().default(false),
};
const oneOfEach = [
  mutuallyExclusive('author_id', 'author_username'),
  mutuallyExclusive('assignee_id', 'assignee_username'),
  mutuallyExclusive('iteration_id', 'iteration_title'),
] as const;

export const listIssues = operation({
  name: 'collaboration.issues.list',
  description: 'Issues of all projects the caller reads; without credentials only under scope=all.',
  http: get('/issues'),
  access: anyone(),
  summary: 'Issues of all projects that the caller reads',
  input: z
    .object({ ...list, scope: scope('created_by_me'), non_archived: z.boolean().default(true) })
    .refine(...oneOfEach[0])
    .refine(...oneOfEach[1])
    .refine(...oneOfEach[2]),
  output: page(Issue),
});

export const listGroupIssues = operation({
  name: 'collaboration.issues.list-of-group',
  http: get('/groups/:id/issues'),
  access: onGroup({ anonymous: true }),
  summary: 'Issues of all projects of a group and its subgroups',
  input: z
    .object({ ...groupRef, ...list, scope: scope('all'), non_archived: z.boolean().default(true) })
    .refine(...oneOfEach[0])
    .refine(...oneOfEach[1])
    .refine(...oneOfEach[2]),
  output: page(Issue),
});

export const listProjectIssues = operation({
  name: 'collaboration.issues.list-of-project',
  http: get('/projects/:id/issues'),
  access: onProject({ feature: 'issues', anonymous: true }),
  summary: 'Issues of a project',
  input: z
    .object({ ...projectRef, ...list, scope: scope('all') })
    .refine(...oneOfEach[0])
    .refine(...oneOfEach[1])
    .refine(...oneOfEach[2]),
  output: page(Issue),
});

/** Issues of a project with one of some milestones, such as those of a release. */
export const listIssuesOfMilestones = operation({
  name: 'collaboration.issues.list-of-milestones',
  onPages: true,
  isRead: true,
  access: onProject({ feature: 'issues', anonymous: true }),
  input: z.object({ ...projectRef, ...list, scope: scope('all'), milestone_ids: milestoneIds }),
  output: page(Issue),
});

/** Filters of a column of a board. */
const column = {
  ...filters,
  scope: scope('all'),
  not: negated.extend({ milestone_ids: z.array(id).max(mostOnBoard).optional() }).optional(),
};

/** An issue in a column of a board. */
export const IssueCard = z.object({ iid: z.int(), title: z.string(), web_url: z.string() });
export type IssueCard = z.infer<typeof IssueCard>;

export const listProjectIssueCards = operation({
  name: 'collaboration.issues.list-cards-of-project',
  summary: 'Issues in a column of a board of a project, in their order',
  onPages: true,
  isRead: true,
  access: onProject({ feature: 'issues', anonymous: true }),
  input: z.object({ ...projectRef, ...column }),
  output: page(IssueCard),
});

export const listGroupIssueCards = operation({
  name: 'collaboration.issues.list-cards-of-group',
  summary: 'Issues in a column of a board of a group, in their order',
  onPages: true,
  isRead: true,
  access: onGroup({ anonymous: true }),
  input: z.object({ ...groupRef, ...column }),
  output: page(IssueCard),
});

export const getIssueById = operation({
  name: 'collaboration.issues.get-by-id',
  description: 'By the id that is unique in the instance.',
  http: get('/issues/:id'),
  access: administrator(),
  summary: 'One issue by its global id',
  input: z.object({ id }),
  output: Issue,
});

const one = { ...projectRef, issue_iid: id };

export const getIssue = operation({
  name: 'collaboration.issues.get',
  refusals: ['issue.not_found also for a confidential issue of others'],
  http: get('/projects/:id/issues/:issue_iid'),
  access: onProject({ feature: 'issues', anonymous: true }),
  summary: 'One issue',
  input: z.object(one),
  output: Issue,
});

/** Fields that users set on an issue; for reporters and above, except title, description and confidential. */
const attributes = {
  description: prose(descriptionLimit).nullable().optional(),
  confidential: z.boolean().optional(),
  assignee_ids: commaList(z.int().min(0)).nullable().optional().describe('0 or empty to unassign'),
  assignee_id: z.int().min(0).nullable().optional(),
  milestone_id: z.int().min(0).nullable().optional().describe('Global id; 0 for none'),
  labels: commaList(z.string()).nullable().optional().describe('Names; unknown ones are made in the project'),
  due_date: date.nullable().optional(),
  weight: z.int().min(0).nullable().optional(),
  epic_id: z.int().min(0).nullable().optional().describe('Global id; 0 for none'),
  discussion_locked: z.boolean().nullable().optional(),
};

export const createIssue = operation({
  name: 'collaboration.issues.create',
  refusals: ['issue.iid_taken', 'common.invalid_record'],
  http: post('/projects/:id/issues'),
  access: onProject({ feature: 'issues' }),
  summary: 'Open an issue',
  input: z.object({
    ...projectRef,
    ...attributes,
    title: writtenProse(titleLimit),
    created_at: timestamp.optional().describe('For administrators and owners'),
    iid: id.optional().describe('For administrators and owners'),
  }),
  output: Issue,
});

export const updateIssue = operation({
  name: 'collaboration.issues.update',
  refusals: ['issue.not_found', 'common.forbidden unless author or reporter', 'common.invalid_record'],
  http: put('/projects/:id/issues/:issue_iid'),
  access: onProject({ feature: 'issues' }),
  summary: 'Change an issue',
  input: z
    .object({
      ...one,
      ...attributes,
      title: writtenProse(titleLimit).optional(),
      add_labels: commaList(z.string()).optional(),
      remove_labels: commaList(z.string()).optional(),
      state_event: z.enum(['close', 'reopen']).optional(),
      updated_at: timestamp.optional().describe('For administrators and owners'),
    })
    .refine(
      ...someChangeOf('title', ...Object.keys(attributes), 'add_labels', 'remove_labels', 'state_event', 'updated_at'),
    ),
  output: Issue,
});

export const deleteIssue = operation({
  name: 'collaboration.issues.delete',
  refusals: ['issue.not_found'],
  http: del('/projects/:id/issues/:issue_iid'),
  access: onProject({ feature: 'issues', level: Access.Owner }),
  summary: 'Remove an issue with its notes',
  input: z.object(one),
  output: nothing(),
});

export const subscribeToIssue = operation({
  name: 'collaboration.issues.subscribe',
  description: '304 when nothing changes.',
  http: post('/projects/:id/issues/:issue_iid/subscribe'),
  access: onProject({ feature: 'issues' }),
  summary: 'Subscribe the caller',
  input: z.object(one),
  output: Issue,
});

export const unsubscribeFromIssue = operation({
  name: 'collaboration.issues.unsubscribe',
  http: post('/projects/:id/issues/:issue_iid/unsubscribe'),
  access: onProject({ feature: 'issues' }),
  summary: 'End the subscription of the caller',
  input: z.object(one),
  output: Issue,
});

const duration = z.string().describe('As 1mo 2w 3d 4h 5m; a month has 4 weeks, a week 5 days, a day 8 hours');

export const getIssueTimeStats = operation({
  name: 'collaboration.issues.get-time-stats',
  http: get('/projects/:id/issues/:issue_iid/time_stats'),
  access: onProject({ feature: 'issues', anonymous: true }),
  summary: 'Time estimated and spent',
  input: z.object(one),
  output: TimeStats,
});

export const setIssueEstimate = operation({
  name: 'collaboration.issues.set-estimate',
  refusals: ['common.bad_request when the duration says nothing'],
  http: post('/projects/:id/issues/:issue_iid/time_estimate', { success: 200 }),
  access: onProject({ feature: 'issues', level: Access.Reporter }),
  summary: 'Estimate the time it takes',
  input: z.object({ ...one, duration }),
  output: TimeStats,
});

export const resetIssueEstimate = operation({
  name: 'collaboration.issues.reset-estimate',
  http: post('/projects/:id/issues/:issue_iid/reset_time_estimate', { success: 200 }),
  access: onProject({ feature: 'issues', level: Access.Reporter }),
  summary: 'Forget the estimate',
  input: z.object(one),
  output: TimeStats,
});

export const addIssueTimeSpent = operation({
  name: 'collaboration.issues.add-time-spent',
  http: post('/projects/:id/issues/:issue_iid/add_spent_time'),
  access: onProject({ feature: 'issues', level: Access.Reporter }),
  summary: 'Add time that was spent; take some away with a minus',
  input: z.object({ ...one, duration }),
  output: TimeStats,
});

export const resetIssueTimeSpent = operation({
  name: 'collaboration.issues.reset-time-spent',
  http: post('/projects/:id/issues/:issue_iid/reset_spent_time', { success: 200 }),
  access: onProject({ feature: 'issues', level: Access.Reporter }),
  summary: 'Forget the time spent',
  input: z.object(one),
  output: TimeStats,
});

export const listIssueParticipants = operation({
  name: 'collaboration.issues.list-participants',
  http: get('/projects/:id/issues/:issue_iid/participants'),
  access: onProject({ feature: 'issues', anonymous: true }),
  summary: 'Author, assignees and commenters',
  input: z.object(one),
  output: page(UserSummary),
});

export const getIssueUserAgent = operation({
  name: 'collaboration.issues.user-agent',
  refusals: ['issue.not_found', 'user_agent.not_found', 'common.forbidden unless administrator'],
  // Clients of some languages have the plural.
  http: [
    get('/projects/:id/issues/:issue_iid/user_agent_detail'),
    get('/projects/:id/issues/:issue_iid/user_agent_details'),
  ],
  access: onProject({ feature: 'issues' }),
  summary: 'User agent and address of the request that created the issue',
  input: z.object(one),
  output: UserAgentDetail,
});
