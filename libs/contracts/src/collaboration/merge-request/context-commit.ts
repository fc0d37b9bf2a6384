import { z } from 'zod';
import {
  Access,
  commaList,
  del,
  errors,
  get,
  id,
  nothing,
  onProject,
  operation,
  page,
  post,
  projectRef,
} from '../../operation';
import { Commit } from '../../repository/commit-view';
import { readsMergeRequests } from './merge-request';

/** Of one merge request. */
export const mostContextCommits = 100;

export const contextCommitErrors = errors('context_commit', {
  invalid: {
    status: 400,
    message: "One or more context commits' sha is not valid.",
    means: 'The project has no such commit, or the merge request names it already, or does not name it.',
  },
  tooMany: {
    status: 400,
    message: 'Too many context commits',
    means: 'The merge request names as many as there can be.',
  },
});

const one = { ...projectRef, merge_request_iid: id };
const named = {
  ...one,
  commits: commaList(z.string().regex(/^[0-9a-f]{40}$/, 'is invalid'), 20)
    .min(1)
    .describe('Whole ids of commits'),
};
const path = '/projects/:id/merge_requests/:merge_request_iid/context_commits';
const access = onProject({ feature: 'merge_requests', level: Access.Developer });
const refusals = ['merge_request.not_found', 'context_commit.invalid', 'project.archived'];

/** See docs/api/merge-requests.md#13. */
export const listContextCommits = operation({
  name: 'collaboration.context-commits.list',
  refusals: ['merge_request.not_found'],
  http: get(path),
  access: readsMergeRequests,
  summary: 'Commits that a merge request names for its readers',
  input: z.object(one),
  output: page(Commit),
});

export const addContextCommits = operation({
  name: 'collaboration.context-commits.create',
  refusals: [...refusals, 'context_commit.too_many'],
  http: post(path),
  access,
  summary: 'Name commits for the readers of a merge request',
  input: z.object(named),
  output: z.array(Commit),
});

export const removeContextCommits = operation({
  name: 'collaboration.context-commits.delete',
  refusals,
  http: del(path),
  access,
  summary: 'Name commits no longer for the readers of a merge request',
  input: z.object(named),
  output: nothing(),
});
