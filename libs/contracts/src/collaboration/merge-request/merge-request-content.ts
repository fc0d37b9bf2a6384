import { z } from 'zod';
import { Pipeline, PipelineSummary } from '../../ci/pipeline';
import { UserSummary } from '../../identity/user';
import { ExternalIssue } from '../../integrations/integration';
import { get, id, internal, internalForCaller, operation, page, post, projectRef } from '../../operation';
import { Commit, Diff } from '../../repository/commit-view';
import { Issue } from '../issue/issue-view';
import { readsMergeRequests, takesPartInMergeRequests } from './merge-request';
import { MergeRequest, MergeRequestChanges, MergeRequestVersion, mergeRequestStates } from './merge-request-view';

const one = { ...projectRef, merge_request_iid: id };

export const listMergeRequestCommits = operation({
  name: 'collaboration.merge-requests.list-commits',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/commits'),
  access: readsMergeRequests,
  summary: 'Commits of a merge request, newest first',
  input: z.object(one),
  output: page(Commit),
});

/** See docs/api/merge-requests.md#11. */
export const listMergeRequestsWithCommit = operation({
  name: 'collaboration.merge-requests.list-with-commit',
  description: 'Merge requests that contain the commit, or whose merge or squash commit it is.',
  refusals: ['repository_content.commit_not_found'],
  http: get('/projects/:id/repository/commits/:sha/merge_requests'),
  access: readsMergeRequests,
  summary: 'Merge requests that a commit came with',
  input: z.object({
    ...projectRef,
    sha: z.string().describe('Commit, branch or tag'),
    state: z.enum([...mergeRequestStates, 'all']).default('all'),
  }),
  output: page(MergeRequest),
  timeoutSeconds: 60,
});

export const getMergeRequestChanges = operation({
  name: 'collaboration.merge-requests.get-changes',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/changes'),
  access: readsMergeRequests,
  summary: 'A merge request with its changes',
  input: z.object({ ...one, access_raw_diffs: z.boolean().default(false) }),
  output: MergeRequestChanges,
  timeoutSeconds: 60,
});

export const listMergeRequestDiffs = operation({
  name: 'collaboration.merge-requests.list-diffs',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/diffs'),
  access: readsMergeRequests,
  summary: 'Diffs of a merge request',
  input: z.object(one),
  output: page(Diff),
  timeoutSeconds: 60,
});

export const listMergeRequestVersions = operation({
  name: 'collaboration.merge-requests.list-versions',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/versions'),
  access: readsMergeRequests,
  summary: 'Diff versions of a merge request, latest first',
  input: z.object(one),
  output: page(MergeRequestVersion),
});

export const getMergeRequestVersion = operation({
  name: 'collaboration.merge-requests.get-version',
  refusals: ['merge_request.not_found', 'common.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/versions/:version_id'),
  access: readsMergeRequests,
  summary: 'One version, with its commits and changes',
  input: z.object({ ...one, version_id: id }),
  output: MergeRequestVersion.extend({ commits: z.array(Commit), diffs: z.array(Diff) }),
  timeoutSeconds: 60,
});

export const listMergeRequestPipelines = operation({
  name: 'collaboration.merge-requests.list-pipelines',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/pipelines'),
  access: readsMergeRequests,
  summary: 'Pipelines of the source branch',
  input: z.object(one),
  output: page(PipelineSummary),
});

export const createMergeRequestPipeline = operation({
  name: 'collaboration.merge-requests.create-pipeline',
  refusals: ['merge_request.not_found', 'common.forbidden without the right to push to the source', 'pipeline.invalid'],
  http: post('/projects/:id/merge_requests/:merge_request_iid/pipelines'),
  access: takesPartInMergeRequests,
  summary: 'Run a pipeline on the source branch',
  input: z.object(one),
  output: Pipeline,
});

export const listMergeRequestParticipants = operation({
  name: 'collaboration.merge-requests.list-participants',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/participants'),
  access: readsMergeRequests,
  summary: 'Author, assignees and commenters',
  input: z.object(one),
  output: page(UserSummary),
});

export const listIssuesClosedByMergeRequest = operation({
  name: 'collaboration.merge-requests.list-closed-issues',
  description:
    'Named by `Closes #1` in the description or in a commit. Those of another tracker, where the project has one, come last, with `id`, `title` and `web_url` alone.',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/closes_issues'),
  access: readsMergeRequests,
  summary: 'Issues that are closed when it is merged',
  input: z.object(one),
  output: page(z.union([Issue, ExternalIssue])),
});

/**
 * Merge requests that were merged by the commits of a range, at most the newest thousand; newest first. For readers
 * of the project's merge requests.
 */
export const mergeRequestsOfCommits = operation({
  name: 'collaboration.merge-requests.list-of-commits',
  access: internalForCaller(),
  isRead: true,
  input: z.object({
    sha: z.string().describe('The last of them'),
    without: z.string().optional().describe('Neither that commit nor what came before it'),
  }),
  output: page(MergeRequest),
  timeoutSeconds: 60,
});

/** Limit of branches in one call. A push shows nothing about further branches. */
export const mostNoticedBranches = 3;

/**
 * The newest open merge request of each of these branches, from and into the project itself. A push shows it, and
 * does not wait for long.
 */
export const openMergeRequestsOfBranches = operation({
  name: 'collaboration.merge-requests.list-open-of-branches',
  access: internal(),
  isRead: true,
  input: z.object({ project_id: id, source_branches: z.array(z.string()).max(mostNoticedBranches) }),
  output: z.array(z.object({ source_branch: z.string(), iid: id })),
  timeoutSeconds: 1,
});
