import { type createApprovalRule, onlyGiven, type ParsedOf, type updateApprovalRule } from '@moothall/contracts';
import type { ApprovalRule } from '../record/approval-settings.schema';
import type { RuleChange } from './rule-list';

type Creation = Pick<ParsedOf<typeof createApprovalRule>, 'name' | 'approvals_required' | 'rule_type'>;
type Change = Pick<ParsedOf<typeof updateApprovalRule>, 'name' | 'approvals_required'>;
type Named = Pick<RuleChange, 'userIds' | 'groupIds'>;

/** A rule without names is for everybody, unless it says otherwise; a rule with names is for these. */
export function ruleOf(
  id: number,
  { name, approvals_required: required, rule_type }: Creation,
  { userIds = [], groupIds = [] }: Named,
): ApprovalRule {
  const isNamed = userIds.length + groupIds.length > 0;
  return { id, name, type: isNamed ? 'regular' : (rule_type ?? 'any_approver'), required, userIds, groupIds };
}

export const changeOf = ({ name, approvals_required: required }: Change, named: Named): RuleChange => ({
  ...onlyGiven({ name, required }),
  ...named,
});
