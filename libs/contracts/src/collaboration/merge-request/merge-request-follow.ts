import { z } from 'zod';
import { Access, get, id, onProject, operation, post, projectRef } from '../../operation';
import { TimeStats } from '../issuable/issuable-view';
import { readsMergeRequests, takesPartInMergeRequests } from './merge-request';
import { MergeRequest } from './merge-request-view';

const one = { ...projectRef, merge_request_iid: id };
const plans = onProject({ feature: 'merge_requests', level: Access.Reporter });
const duration = z.string().describe('As 1mo 2w 3d 4h 5m; a month has 4 weeks, a week 5 days, a day 8 hours');

export const subscribeToMergeRequest = operation({
  name: 'collaboration.merge-requests.subscribe',
  description: '304 when nothing changes.',
  http: post('/projects/:id/merge_requests/:merge_request_iid/subscribe'),
  access: takesPartInMergeRequests,
  summary: 'Subscribe the caller',
  input: z.object(one),
  output: MergeRequest,
});

export const unsubscribeFromMergeRequest = operation({
  name: 'collaboration.merge-requests.unsubscribe',
  description: '304 when nothing changes.',
  http: post('/projects/:id/merge_requests/:merge_request_iid/unsubscribe'),
  access: takesPartInMergeRequests,
  summary: 'End the subscription of the caller',
  input: z.object(one),
  output: MergeRequest,
});

export const getMergeRequestTimeStats = operation({
  name: 'collaboration.merge-requests.get-time-stats',
  http: get('/projects/:id/merge_requests/:merge_request_iid/time_stats'),
  access: readsMergeRequests,
  summary: 'Time estimated and spent',
  input: z.object(one),
  output: TimeStats,
});

export const setMergeRequestEstimate = operation({
  name: 'collaboration.merge-requests.set-estimate',
  refusals: ['common.bad_request when the duration says nothing'],
  http: post('/projects/:id/merge_requests/:merge_request_iid/time_estimate', { success: 200 }),
  access: plans,
  summary: 'Estimate the time it takes',
  input: z.object({ ...one, duration }),
  output: TimeStats,
});

export const resetMergeRequestEstimate = operation({
  name: 'collaboration.merge-requests.reset-estimate',
  http: post('/projects/:id/merge_requests/:merge_request_iid/reset_time_estimate', { success: 200 }),
  access: plans,
  summary: 'Forget the estimate',
  input: z.object(one),
  output: TimeStats,
});

export const addMergeRequestTimeSpent = operation({
  name: 'collaboration.merge-requests.add-time-spent',
  refusals: ['common.bad_request when the duration says nothing'],
  http: post('/projects/:id/merge_requests/:merge_request_iid/add_spent_time'),
  access: plans,
  summary: 'Add time that was spent; take some away with a minus',
  input: z.object({ ...one, duration }),
  output: TimeStats,
});

export const resetMergeRequestTimeSpent = operation({
  name: 'collaboration.merge-requests.reset-time-spent',
  http: post('/projects/:id/merge_requests/:merge_request_iid/reset_spent_time', { success: 200 }),
  access: plans,
  summary: 'Forget the time spent',
  input: z.object(one),
  output: TimeStats,
});
