import type { Caller, MergeRequestApprovals, ProjectRef } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { hasApproved, mayApprove } from './approval-rights';

/** Nobody has to approve what is merged here: what tells of rules is empty. */
const withoutRules = {
  approvals_required: 0,
  approvals_left: 0,
  require_password_to_approve: false,
  suggested_approvers: [],
  approvers: [],
  approver_groups: [],
  approval_rules_left: [],
  has_approval_rules: false,
  merge_request_approvers_available: false,
  multiple_approval_rules_available: false,
};

@Injectable()
export class ApprovalViews {
  constructor(private readonly users: UserDirectory) {}

  async view(found: MergeRequestDocument, project: ProjectRef, caller?: Caller): Promise<MergeRequestApprovals> {
    const { approvals = [] } = found;
    const users = await this.users.summaries(approvals.map(({ userId }) => userId));
    return {
      id: found._id,
      iid: found.iid,
      project_id: found.projectId,
      title: found.title,
      description: found.description,
      state: found.state,
      created_at: found.createdAt.toISOString(),
      updated_at: found.updatedAt.toISOString(),
      merge_status: found.mergeStatus,
      ...withoutRules,
      approved: approvals.length > 0,
      approved_by: approvals.flatMap(({ userId, at }) => {
        const user = users.get(userId);
        return user ? [{ user, approved_at: at.toISOString() }] : [];
      }),
      user_has_approved: caller !== undefined && hasApproved(found, caller),
      user_can_approve: caller !== undefined && mayApprove(found, project, caller),
    };
  }
}
