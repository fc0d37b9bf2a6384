import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import { Access, get, id, nothing, onProject, operation, post, projectRef, put, time } from '../../operation';
import { approvalRuleTypes, MergeRequestApprovalRule } from './approval-rule';
import { readsMergeRequests, takesPartInMergeRequests } from './merge-request';

const one = { ...projectRef, merge_request_iid: id };

/**
 * The approvals of a merge request, and whether the caller has approved and may approve. See
 * docs/api/merge-requests.md#8.
 */
export const MergeRequestApprovals = z.object({
  id,
  iid: id,
  project_id: id,
  title: z.string(),
  description: z.string().nullable(),
  state: z.string(),
  created_at: time,
  updated_at: time,
  merge_status: z.string(),
  approved: z.boolean(),
  approvals_required: z.int(),
  approvals_left: z.int(),
  require_password_to_approve: z.boolean(),
  approved_by: z.array(z.object({ user: UserSummary, approved_at: time })),
  suggested_approvers: z.array(UserSummary),
  approvers: z.array(UserSummary),
  approver_groups: z.array(z.never()),
  user_has_approved: z.boolean(),
  user_can_approve: z.boolean(),
  approval_rules_left: z.array(z.object({ id, name: z.string(), rule_type: z.enum(approvalRuleTypes) })),
  has_approval_rules: z.boolean(),
  merge_request_approvers_available: z.boolean(),
  multiple_approval_rules_available: z.boolean(),
});
export type MergeRequestApprovals = z.infer<typeof MergeRequestApprovals>;

/** Each rule with its approvals. See docs/api/merge-requests.md#9. */
export const MergeRequestApprovalState = z.object({
  approval_rules_overwritten: z.boolean().describe('It has rules of its own'),
  rules: z.array(
    MergeRequestApprovalRule.extend({
      code_owner: z.boolean(),
      approved: z.boolean(),
      approved_by: z.array(UserSummary),
    }),
  ),
});
export type MergeRequestApprovalState = z.infer<typeof MergeRequestApprovalState>;

export const getMergeRequestApprovals = operation({
  name: 'collaboration.merge-requests.get-approvals',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/approvals'),
  access: readsMergeRequests,
  summary: 'Approvals of a merge request',
  input: z.object(one),
  output: MergeRequestApprovals,
});

export const getMergeRequestApprovalState = operation({
  name: 'collaboration.merge-requests.get-approval-state',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/approval_state'),
  access: readsMergeRequests,
  summary: 'Approval rules of a merge request, with their state',
  input: z.object(one),
  output: MergeRequestApprovalState,
});

export const approveMergeRequest = operation({
  name: 'collaboration.merge-requests.approve',
  refusals: [
    'merge_request.not_found',
    'common.unauthorized if the caller may not approve, or did so before',
    'merge.source_moved',
    'project.archived',
  ],
  http: post('/projects/:id/merge_requests/:merge_request_iid/approve'),
  access: takesPartInMergeRequests,
  summary: 'Approve a merge request',
  input: z.object({
    ...one,
    sha: z.string().nullish().describe('Only when this still is the tip of the source branch'),
  }),
  output: MergeRequestApprovals,
});

export const unapproveMergeRequest = operation({
  name: 'collaboration.merge-requests.unapprove',
  refusals: ['common.not_found if the caller has not approved it', 'merge_request.not_found', 'project.archived'],
  http: post('/projects/:id/merge_requests/:merge_request_iid/unapprove'),
  access: takesPartInMergeRequests,
  summary: 'No longer approve a merge request',
  input: z.object(one),
  output: MergeRequestApprovals,
});

export const resetMergeRequestApprovals = operation({
  name: 'collaboration.merge-requests.reset-approvals',
  refusals: ['merge_request.not_found', 'project.archived'],
  http: put('/projects/:id/merge_requests/:merge_request_iid/reset_approvals', { success: 202 }),
  access: onProject({ feature: 'merge_requests', level: Access.Maintainer }),
  summary: 'Take all approvals of a merge request back',
  input: z.object(one),
  output: nothing(),
});
