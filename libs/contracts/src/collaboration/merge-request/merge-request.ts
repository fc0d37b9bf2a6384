import { z } from 'zod';
import {
  Access,
  anyone,
  commaList,
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
} from '../../operation';
import { issuableFilters, milestoneIds, scope, searchIn } from '../issuable/issuable-filters';
import { descriptionLimit, prose, titleLimit, writtenProse } from '../prose/prose';
import { MergeRequest, mergeRequestStates, SimpleMergeRequest } from './merge-request-view';

export const mergeRequestErrors = errors('merge_request', {
  notFound: {
    status: 404,
    message: '404 MergeRequest Not Found',
    means: 'No such merge request, or none the caller may see.',
  },
  exists: {
    status: 409,
    message: ['Another open merge request already exists for this source branch'],
    means: 'The same branches have an open merge request; the text names it.',
  },
  sameBranch: {
    status: 422,
    message: ["You can't use same project/branch for source and target"],
    means: 'A branch cannot be merged into itself.',
  },
  notFork: {
    status: 422,
    message: ['Source project is not a fork of the target project'],
    means: 'Branches are merged within a project, or between a project and its forks.',
  },
  notMergeable: {
    status: 405,
    message: '405 Method Not Allowed',
    means: 'It is closed, merged, a draft, without commits, or a pipeline or approvals are missing.',
  },
});

/** Guests of a private project do not read its code, and so not its merge requests. */
export const readsMergeRequests = onProject({
  feature: 'merge_requests',
  levelInPrivate: Access.Reporter,
  ability: 'admin_merge_request',
  anonymous: true,
});
/** The same for signed-in callers. */
export const takesPartInMergeRequests = onProject({
  feature: 'merge_requests',
  levelInPrivate: Access.Reporter,
  ability: 'admin_merge_request',
});

const negated = z.object({
  labels: commaList(z.string()).optional(),
  milestone: z.string().optional(),
  author_id: id.optional(),
  author_username: z.string().optional(),
  assignee_id: id.optional(),
  assignee_username: z.array(z.string()).optional(),
  my_reaction_emoji: z.string().optional(),
  iids: commaList(z.int(), 10_000).optional(),
});

const list = {
  ...issuableFilters,
  in: searchIn,
  assignee_username: z.array(z.string()).optional(),
  reviewer_id: z
    .string()
    .refine((value) => /^(\d+|none|any)$/i.test(value), "should be an integer, 'None' or 'Any'")
    .optional()
    .describe("Id of a user, 'None' or 'Any'"),
  reviewer_username: z.string().optional(),
  state: z.enum([...mergeRequestStates, 'all']).default('all'),
  order_by: z.enum(['created_at', 'updated_at']).default('created_at'),
  sort: z.enum(['asc', 'desc']).default('desc'),
  view: z.enum(['simple']).optional().describe('Fewer fields'),
  source_branch: z.string().optional(),
  target_branch: z.string().optional(),
  source_project_id: id.optional(),
  wip: z.enum(['yes', 'no']).optional().describe('Drafts, or all others'),
  draft: z.boolean().optional(),
  not: negated.optional().describe('What merge requests must not match'),
  with_labels_details: z.boolean().default(false),
};
const oneAuthor = mutuallyExclusive('author_id', 'author_username');
const oneAssignee = mutuallyExclusive('assignee_id', 'assignee_username');
const shown = page(z.union([MergeRequest, SimpleMergeRequest]));

export const listMergeRequests = operation({
  name: 'collaboration.merge-requests.list',
  description: 'Of all projects the caller reads; without credentials only under scope=all.',
  http: get('/merge_requests'),
  access: anyone(),
  summary: 'Merge requests of all projects that the caller reads',
  input: z
    .object({ ...list, scope: scope('created_by_me'), non_archived: z.boolean().default(true) })
    .refine(...oneAuthor)
    .refine(...oneAssignee),
  output: shown,
});

export const listGroupMergeRequests = operation({
  name: 'collaboration.merge-requests.list-of-group',
  http: get('/groups/:id/merge_requests'),
  access: onGroup({ anonymous: true }),
  summary: 'Merge requests of all projects of a group and its subgroups',
  input: z
    .object({ ...groupRef, ...list, scope: scope('all'), non_archived: z.boolean().default(true) })
    .refine(...oneAuthor)
    .refine(...oneAssignee),
  output: shown,
});

export const listProjectMergeRequests = operation({
  name: 'collaboration.merge-requests.list-of-project',
  http: get('/projects/:id/merge_requests'),
  access: readsMergeRequests,
  summary: 'Merge requests of a project',
  input: z
    .object({ ...projectRef, ...list, scope: scope('all') })
    .refine(...oneAuthor)
    .refine(...oneAssignee),
  output: shown,
});

/** Merge requests of a project with one of some milestones, such as those of a release. */
export const listMergeRequestsOfMilestones = operation({
  name: 'collaboration.merge-requests.list-of-milestones',
  onPages: true,
  isRead: true,
  access: readsMergeRequests,
  input: z.object({ ...projectRef, ...list, scope: scope('all'), milestone_ids: milestoneIds }),
  output: shown,
});

const one = { ...projectRef, merge_request_iid: id };

export const getMergeRequest = operation({
  name: 'collaboration.merge-requests.get',
  description: 'With the fields that git computes from the current state.',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid'),
  access: readsMergeRequests,
  summary: 'One merge request',
  input: z.object({
    ...one,
    render_html: z.boolean().default(false),
    include_diverged_commits_count: z.boolean().default(false),
    include_rebase_in_progress: z.boolean().default(false),
  }),
  output: MergeRequest,
});

const attributes = {
  description: prose(descriptionLimit).nullable().optional(),
  assignee_ids: commaList(z.int().min(0)).nullable().optional().describe('0 or empty to unassign'),
  assignee_id: z.int().min(0).nullable().optional(),
  reviewer_ids: commaList(z.int().min(0)).nullable().optional().describe('0 or empty to unassign'),
  milestone_id: z.int().min(0).nullable().optional().describe('Global id; 0 for none'),
  labels: commaList(z.string()).nullable().optional().describe('Names; unknown ones are made in the project'),
  remove_source_branch: z.boolean().nullable().optional().describe('Once it is merged'),
  allow_collaboration: z.boolean().nullable().optional(),
  allow_maintainer_to_push: z.boolean().nullable().optional().describe('Older name of allow_collaboration'),
  squash: z.boolean().nullable().optional(),
};

export const createMergeRequest = operation({
  name: 'collaboration.merge-requests.create',
  description: 'The project is the one of the source branch.',
  refusals: [
    'merge_request.exists',
    'merge_request.same_branch',
    'merge_request.not_fork',
    'common.invalid_record for branches that do not exist',
    'common.not_found for a target the caller cannot see',
    'project.archived',
  ],
  http: post('/projects/:id/merge_requests'),
  access: onProject({ feature: 'repository', level: Access.Developer }),
  summary: 'Open a merge request',
  input: z.object({
    ...projectRef,
    source_branch: z.string().min(1).max(1024),
    target_branch: z.string().min(1).max(1024),
    target_project_id: id.nullable().optional().describe('The source project unless given'),
    title: writtenProse(titleLimit),
    ...attributes,
  }),
  output: MergeRequest,
});

export const updateMergeRequest = operation({
  name: 'collaboration.merge-requests.update',
  refusals: [
    'merge_request.not_found',
    'merge_request.exists when it is reopened or retargeted onto another',
    'common.forbidden unless author or developer',
    'common.invalid_record',
    'project.archived',
  ],
  http: put('/projects/:id/merge_requests/:merge_request_iid'),
  access: takesPartInMergeRequests,
  summary: 'Change a merge request',
  input: z
    .object({
      ...one,
      ...attributes,
      title: writtenProse(titleLimit).optional(),
      target_branch: z.string().min(1).max(1024).optional(),
      state_event: z.enum(['close', 'reopen']).optional(),
      add_labels: commaList(z.string()).optional(),
      remove_labels: commaList(z.string()).optional(),
      discussion_locked: z.boolean().nullable().optional(),
    })
    .refine(
      ...someChangeOf(
        ...['assignee_id', 'assignee_ids', 'reviewer_ids', 'target_branch', 'labels', 'add_labels', 'remove_labels'],
        ...['milestone_id', 'remove_source_branch', 'allow_collaboration', 'allow_maintainer_to_push', 'squash'],
        ...['description', 'title', 'state_event', 'discussion_locked'],
      ),
    ),
  output: MergeRequest,
});

export const deleteMergeRequest = operation({
  name: 'collaboration.merge-requests.delete',
  refusals: ['merge_request.not_found', 'project.archived'],
  http: del('/projects/:id/merge_requests/:merge_request_iid'),
  access: onProject({ feature: 'merge_requests', level: Access.Owner }),
  summary: 'Remove a merge request with its notes; branches stay',
  input: z.object(one),
  output: nothing(),
});
