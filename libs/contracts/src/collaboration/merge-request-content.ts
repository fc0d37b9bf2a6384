import { z } from 'zod';
import { Pipeline, PipelineSummary } from '../ci/pipeline';
import { UserSummary } from '../identity/user';
import { get, id, operation, page, post, projectRef } from '../operation';
import { Commit, Diff } from '../repository/commit-view';
import { Issue } from './issue-view';
import { readsMergeRequests, takesPartInMergeRequests } from './merge-request';
import { MergeRequestChanges, MergeRequestVersion } from './merge-request-view';

const one = { ...projectRef, merge_request_iid: id };

/** @throws merge_request.not_found */
export const listMergeRequestCommits = operation({
  name: 'collaboration.merge-requests.list-commits',
  http: get('/projects/:id/merge_requests/:merge_request_iid/commits'),
  access: readsMergeRequests,
  summary: 'Commits that a merge request brings, newest first',
  input: z.object(one),
  output: page(Commit),
});

/** @throws merge_request.not_found */
export const getMergeRequestChanges = operation({
  name: 'collaboration.merge-requests.get-changes',
  http: get('/projects/:id/merge_requests/:merge_request_iid/changes'),
  access: readsMergeRequests,
  summary: 'A merge request with what it changes',
  input: z.object({ ...one, access_raw_diffs: z.boolean().default(false) }),
  output: MergeRequestChanges,
  timeoutSeconds: 60,
});

/** @throws merge_request.not_found */
export const listMergeRequestDiffs = operation({
  name: 'collaboration.merge-requests.list-diffs',
  http: get('/projects/:id/merge_requests/:merge_request_iid/diffs'),
  access: readsMergeRequests,
  summary: 'What a merge request changes, file by file',
  input: z.object(one),
  output: page(Diff),
  timeoutSeconds: 60,
});

/** @throws merge_request.not_found */
export const listMergeRequestVersions = operation({
  name: 'collaboration.merge-requests.list-versions',
  http: get('/projects/:id/merge_requests/:merge_request_iid/versions'),
  access: readsMergeRequests,
  summary: 'A merge request as it was after each push, latest first',
  input: z.object(one),
  output: page(MergeRequestVersion),
});

/** @throws merge_request.not_found; common.not_found */
export const getMergeRequestVersion = operation({
  name: 'collaboration.merge-requests.get-version',
  http: get('/projects/:id/merge_requests/:merge_request_iid/versions/:version_id'),
  access: readsMergeRequests,
  summary: 'One version, with its commits and changes',
  input: z.object({ ...one, version_id: id }),
  output: MergeRequestVersion.extend({ commits: z.array(Commit), diffs: z.array(Diff) }),
  timeoutSeconds: 60,
});

/** Pipelines of the source branch. @throws merge_request.not_found */
export const listMergeRequestPipelines = operation({
  name: 'collaboration.merge-requests.list-pipelines',
  http: get('/projects/:id/merge_requests/:merge_request_iid/pipelines'),
  access: readsMergeRequests,
  summary: 'Pipelines of the source branch',
  input: z.object(one),
  output: page(PipelineSummary),
});

/** @throws merge_request.not_found; common.forbidden without the right to push to the source; pipeline.invalid */
export const createMergeRequestPipeline = operation({
  name: 'collaboration.merge-requests.create-pipeline',
  http: post('/projects/:id/merge_requests/:merge_request_iid/pipelines'),
  access: takesPartInMergeRequests,
  summary: 'Runs a pipeline on the source branch',
  input: z.object(one),
  output: Pipeline,
});

/** @throws merge_request.not_found */
export const listMergeRequestParticipants = operation({
  name: 'collaboration.merge-requests.list-participants',
  http: get('/projects/:id/merge_requests/:merge_request_iid/participants'),
  access: readsMergeRequests,
  summary: 'Author, assignees and everybody who commented',
  input: z.object(one),
  output: page(UserSummary),
});

/** Named by `Closes #1` in the description or in a commit. @throws merge_request.not_found */
export const listIssuesClosedByMergeRequest = operation({
  name: 'collaboration.merge-requests.list-closed-issues',
  http: get('/projects/:id/merge_requests/:merge_request_iid/closes_issues'),
  access: readsMergeRequests,
  summary: 'Issues that are closed when it is merged',
  input: z.object(one),
  output: page(Issue),
});
