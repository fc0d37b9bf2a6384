import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import { errors, get, id, onProject, operation, page, projectRef, time } from '../../operation';
import { BasicLabel } from '../label/label';

export const labelEventErrors = errors('label_event', {
  notVisible: {
    status: 404,
    message: '404 ResourceLabelEvent Not Found',
    means: 'The event is not for the caller to see.',
  },
});

/** A label was added or removed. See docs/api/labels.md#3. */
export const LabelEvent = z.object({
  id,
  user: UserSummary.nullable(),
  created_at: time,
  resource_type: z.enum(['Issue', 'MergeRequest', 'Epic']),
  resource_id: id,
  label: BasicLabel.nullable().describe('Null once the label is deleted'),
  action: z.enum(['add', 'remove']),
});
export type LabelEvent = z.infer<typeof LabelEvent>;

const onIssue = { ...projectRef, issue_iid: id };

export const listIssueLabelEvents = operation({
  name: 'collaboration.issue-label-events.list',
  http: get('/projects/:id/issues/:issue_iid/resource_label_events'),
  access: onProject({ feature: 'issues' }),
  summary: 'Labels added to an issue and removed from it',
  input: z.object(onIssue),
  output: page(LabelEvent),
});

export const getIssueLabelEvent = operation({
  name: 'collaboration.issue-label-events.get',
  refusals: ['common.not_found', 'label_event.not_visible'],
  http: get('/projects/:id/issues/:issue_iid/resource_label_events/:resource_label_event_id'),
  access: onProject({ feature: 'issues' }),
  summary: 'One label event of an issue',
  input: z.object({ ...onIssue, resource_label_event_id: id }),
  output: LabelEvent,
});
