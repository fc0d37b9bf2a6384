import type { Caller, MergeRequestApprovalState, MergeRequestApprovals, ProjectRef } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { UserDirectory } from '@moothall/users';
import { Inject, Injectable } from '@nestjs/common';
import { Approvals } from '../mergeability/approvals';
import type { JudgedRule } from '../mergeability/judge-approvals';
import type { ApprovalRule } from '../record/approval-settings.schema';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { hasApproved, mayApprove } from './approval-rights';
import { ApprovalRuleViews } from './approval-rule-views';

/** Limit of suggested approvers: named by rules and without an approval. */
const mostSuggested = 100;

@Injectable()
export class ApprovalViews {
  private readonly hasTiers: boolean;

  constructor(
    private readonly users: UserDirectory,
    private readonly approvals: Approvals,
    private readonly rules: ApprovalRuleViews,
    @Inject(settingsToken) { EDITION }: ServiceSettings,
  ) {
    this.hasTiers = EDITION === 'enterprise';
  }

  async view(found: MergeRequestDocument, project: ProjectRef, caller?: Caller): Promise<MergeRequestApprovals> {
    const { approvals = [] } = found;
    const { rules, settings, isMet } = await this.approvals.judgeOne(found);
    const suggested = suggestedBy(rules, new Set(approvals.map(({ userId }) => userId)));
    const users = await this.users.summaries([...approvals.map(({ userId }) => userId), ...suggested]);
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
      approvals_required: sum(rules.map(({ rule }) => rule.required)),
      approvals_left: sum(rules.map(({ left }) => left)),
      require_password_to_approve: false,
      suggested_approvers: suggested.flatMap((id) => users.get(id) ?? []),
      approvers: [],
      approver_groups: [],
      approval_rules_left: rules
        .filter(({ left }) => left > 0)
        .map(({ rule: { id, name, type } }) => ({ id, name, rule_type: type })),
      has_approval_rules: rules.length > 0,
      merge_request_approvers_available: this.hasTiers,
      multiple_approval_rules_available: this.hasTiers,
      // Without rules, a merge request counts as approved only after an approval.
      approved: rules.length > 0 ? isMet : approvals.length > 0,
      approved_by: approvals.flatMap(({ userId, at }) => {
        const user = users.get(userId);
        return user ? [{ user, approved_at: at.toISOString() }] : [];
      }),
      user_has_approved: caller !== undefined && hasApproved(found, caller),
      user_can_approve: caller !== undefined && mayApprove(found, project, settings, caller),
    };
  }

  async viewState(found: MergeRequestDocument, caller?: Caller): Promise<MergeRequestApprovalState> {
    const { rules, settings, isOverridden: approval_rules_overwritten } = await this.approvals.judgeOne(found);
    const given = rules.map(({ rule }) => rule);
    const [views, users] = await Promise.all([
      this.rules.view(given, caller),
      this.users.summaries(rules.flatMap(({ approverIds }) => approverIds)),
    ]);
    return {
      approval_rules_overwritten,
      rules: views.map((view, at) => ({
        ...view,
        overridden: isOverridden(given[at], settings.rules),
        code_owner: false,
        approved: rules[at]?.left === 0,
        approved_by: (rules[at]?.approverIds ?? []).flatMap((id) => users.get(id) ?? []),
      })),
    };
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const suggestedBy = (rules: readonly JudgedRule[], approved: ReadonlySet<number>): number[] =>
  [...new Set(rules.flatMap(({ rule, left }) => (left > 0 ? rule.userIds : [])))]
    .filter((id) => !approved.has(id))
    .slice(0, mostSuggested);

/** Whether a rule differs from the project rule that it comes from. */
export function isOverridden(rule: ApprovalRule | undefined, ofProject: readonly ApprovalRule[]): boolean {
  const source = ofProject.find(({ id }) => id === rule?.id);
  return source !== undefined && JSON.stringify(wordsOf(source)) !== JSON.stringify(rule && wordsOf(rule));
}

const wordsOf = ({ name, type, required, userIds, groupIds }: ApprovalRule) => [
  name,
  type,
  required,
  userIds,
  groupIds,
];
