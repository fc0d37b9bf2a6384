import { z } from 'zod';
import { id, operation, post, projectRef, put } from '../../operation';
import { prose } from '../prose/prose';
import { takesPartInMergeRequests } from './merge-request';
import { MergeRequest } from './merge-request-view';

const one = { ...projectRef, merge_request_iid: id };
const messageLimit = 1_000_000;
const message = prose(messageLimit).nullable().optional();

export const mergeMergeRequest = operation({
  name: 'collaboration.merge-requests.merge',
  description: "Merges in the caller's name; with `merge_when_pipeline_succeeds` later, where a pipeline is under way.",
  refusals: [
    'merge_request.not_found',
    'merge_request.not_mergeable',
    'merge.not_mergeable',
    'merge.not_fast_forward',
    'merge.source_moved',
    'merge.not_allowed',
    'project.archived',
  ],
  http: put('/projects/:id/merge_requests/:merge_request_iid/merge'),
  access: takesPartInMergeRequests,
  summary: 'Merge a merge request',
  input: z.object({
    ...one,
    merge_commit_message: message,
    squash_commit_message: message,
    squash: z.boolean().nullable().optional(),
    should_remove_source_branch: z.boolean().nullable().optional(),
    merge_when_pipeline_succeeds: z.boolean().nullable().optional(),
    auto_merge: z.boolean().nullable().optional().describe('Newer name of merge_when_pipeline_succeeds'),
    sha: z.string().nullable().optional().describe('Only when this still is the tip of the source branch'),
  }),
  output: MergeRequest,
  timeoutSeconds: 150,
});

export const cancelAutoMerge = operation({
  name: 'collaboration.merge-requests.cancel-auto-merge',
  refusals: ['merge_request.not_found', 'merge_request.not_mergeable'],
  http: post('/projects/:id/merge_requests/:merge_request_iid/cancel_merge_when_pipeline_succeeds'),
  access: takesPartInMergeRequests,
  summary: 'No longer merge when the pipeline succeeds',
  input: z.object(one),
  output: z.object({ status: z.literal('success') }),
});

export const rebaseMergeRequest = operation({
  name: 'collaboration.merge-requests.rebase',
  description: 'Rebases the source branch onto the target branch. A failure is in `merge_error`.',
  refusals: ['merge_request.not_found', 'common.forbidden without the right to push to the source', 'project.archived'],
  http: put('/projects/:id/merge_requests/:merge_request_iid/rebase', { success: 202 }),
  access: takesPartInMergeRequests,
  summary: 'Rebase the source branch onto the target',
  input: z.object({ ...one, skip_ci: z.boolean().nullable().optional() }),
  output: z.object({ rebase_in_progress: z.boolean() }),
  timeoutSeconds: 150,
});
