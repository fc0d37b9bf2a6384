import { approvalRuleErrors, invalidRecord, mostApprovalRules } from '@moothall/contracts';
import type { ApprovalRule } from '../record/approval-settings.schema';

export type RuleChange = Partial<Pick<ApprovalRule, 'name' | 'required' | 'userIds' | 'groupIds'>>;

/** Name of the rule for everybody in the v4 interface. */
export const everybody = 'All Members';

/** @throws approval_rule.not_found */
export function ruleIn(rules: readonly ApprovalRule[], id: number): ApprovalRule {
  const found = rules.find((rule) => rule.id === id);
  if (!found) throw approvalRuleErrors.notFound();
  return found;
}

/** @throws common.invalid_record for a taken name, a second rule for everybody, or at the limit */
export function withRule(rules: readonly ApprovalRule[], rule: ApprovalRule): ApprovalRule[] {
  if (rules.length >= mostApprovalRules) throw invalidRecord({ base: ['has too many approval rules'] });
  if (rule.type === 'any_approver' && rules.some(({ type }) => type === 'any_approver'))
    throw invalidRecord({ rule_type: ['any-approver for the project already exists'] });
  requireFreeName(rules, rule.name);
  return [...rules, rule];
}

/**
 * A rule for everybody that gets names is for these from then on.
 * @throws approval_rule.not_found; common.invalid_record for a taken name
 */
export function withChanged(rules: readonly ApprovalRule[], id: number, change: RuleChange): ApprovalRule[] {
  const before = ruleIn(rules, id);
  const after = { ...before, ...change };
  const type = after.userIds.length + after.groupIds.length > 0 ? 'regular' : before.type;
  const others = rules.filter((rule) => rule.id !== id);
  if (after.name !== before.name) requireFreeName(others, after.name);
  return rules.map((rule) => (rule.id === id ? { ...after, type } : rule));
}

/** @throws approval_rule.not_found */
export function withoutRule(rules: readonly ApprovalRule[], id: number): ApprovalRule[] {
  ruleIn(rules, id);
  return rules.filter((rule) => rule.id !== id);
}

/** Sets the required approvals of the rule for everybody; 0 removes it. @param newId id for a new rule */
export function askingEverybody(rules: readonly ApprovalRule[], required: number, newId: number): ApprovalRule[] {
  const known = rules.find(({ type }) => type === 'any_approver');
  if (required === 0) return rules.filter((rule) => rule !== known);
  if (known) return rules.map((rule) => (rule === known ? { ...rule, required } : rule));
  const nobody = { userIds: [], groupIds: [] };
  return withRule(rules, { id: newId, name: everybody, type: 'any_approver', required, ...nobody });
}

function requireFreeName(rules: readonly ApprovalRule[], name: string): void {
  if (rules.some((rule) => rule.name === name)) throw invalidRecord({ name: ['has already been taken'] });
}
