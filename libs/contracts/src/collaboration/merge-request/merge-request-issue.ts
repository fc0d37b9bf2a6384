import { z } from 'zod';
import { get, id, onProject, operation, page, projectRef } from '../../operation';
import { MergeRequest } from './merge-request-view';

const input = z.object({ ...projectRef, issue_iid: id });
const access = onProject({ feature: 'issues', anonymous: true });

export const listMergeRequestsClosingIssue = operation({
  name: 'collaboration.merge-requests.list-closing-issue',
  description: "None for those who do not read the project's merge requests.",
  refusals: ['issue.not_found'],
  http: get('/projects/:id/issues/:issue_iid/closed_by'),
  access,
  summary: 'Merge requests that close an issue when they are merged',
  input,
  output: page(MergeRequest),
});

export const listMergeRequestsRelatedToIssue = operation({
  name: 'collaboration.merge-requests.list-related-to-issue',
  description: 'Those that say they close it.',
  refusals: ['issue.not_found'],
  http: get('/projects/:id/issues/:issue_iid/related_merge_requests'),
  access,
  summary: 'Merge requests that have to do with an issue',
  input,
  output: page(MergeRequest),
});
