import { z } from 'zod';
import { get, id, operation, page, projectRef } from '../../operation';
import { takesPartInMergeRequests } from '../merge-request/merge-request';
import { LabelEvent } from './label-event';

const onMergeRequest = { ...projectRef, merge_request_iid: id };

export const listMergeRequestLabelEvents = operation({
  name: 'collaboration.merge-request-label-events.list',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/resource_label_events'),
  access: takesPartInMergeRequests,
  summary: 'Labels added to a merge request and removed from it',
  input: z.object(onMergeRequest),
  output: page(LabelEvent),
});

export const getMergeRequestLabelEvent = operation({
  name: 'collaboration.merge-request-label-events.get',
  refusals: ['merge_request.not_found', 'common.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/resource_label_events/:resource_label_event_id'),
  access: takesPartInMergeRequests,
  summary: 'One label event of a merge request',
  input: z.object({ ...onMergeRequest, resource_label_event_id: id }),
  output: LabelEvent,
});
