import { z } from 'zod';
import { get, groupRef, id, onGroup, operation, page, projectRef } from '../../operation';
import { readsMergeRequests } from './merge-request';
import { MergeRequest } from './merge-request-view';

const milestone = { milestone_id: id };

export const listProjectMilestoneMergeRequests = operation({
  name: 'collaboration.merge-requests.list-of-project-milestone',
  refusals: ['common.not_found'],
  http: get('/projects/:id/milestones/:milestone_id/merge_requests'),
  access: readsMergeRequests,
  summary: 'Merge requests of a milestone of a project',
  input: z.object({ ...projectRef, ...milestone }),
  output: page(MergeRequest),
});

export const listGroupMilestoneMergeRequests = operation({
  name: 'collaboration.merge-requests.list-of-group-milestone',
  description: 'Only those that the caller may read.',
  refusals: ['common.not_found'],
  http: get('/groups/:id/milestones/:milestone_id/merge_requests'),
  access: onGroup({ anonymous: true }),
  summary: 'Merge requests of a milestone of a group',
  input: z.object({ ...groupRef, ...milestone }),
  output: page(MergeRequest),
});
