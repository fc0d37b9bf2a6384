import { z } from 'zod';
import { event, id } from '../../operation';
import { mergeRequestStates, mergeStatuses } from './merge-request-view';

const mergeRequest = z.object({
  id,
  iid: id,
  project_id: id.describe('Of the target'),
  source_project_id: id.nullable(),
  source_branch: z.string(),
  target_branch: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(mergeRequestStates),
  merge_status: z.enum(mergeStatuses),
  work_in_progress: z.boolean(),
  author_id: id,
  assignee_ids: z.array(id),
  reviewer_ids: z.array(id).optional(),
  label_ids: z.array(id),
  milestone_id: id.nullable(),
  head_sha: z.string().nullable(),
  merge_commit_sha: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** approved: no other approval is required; approval: one was added. The same for withdrawn ones. */
export const approvalActions = ['approved', 'approval', 'unapproved', 'unapproval'] as const;
export type ApprovalAction = (typeof approvalActions)[number];

/** A merge request was opened, changed, approved, closed, reopened, merged or deleted; the fields have the new state. */
export const mergeRequestChanged = event({
  name: 'collaboration.merge-request.changed',
  data: z.object({
    action: z.enum(['open', 'update', 'close', 'reopen', 'merge', 'delete', ...approvalActions]),
    user_id: id.describe('The user who did it'),
    merge_request: mergeRequest,
    before: mergeRequest.partial().optional().describe('The old values of the changed fields'),
  }),
});
