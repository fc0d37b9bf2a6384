import type { ApprovalRule } from '../record/approval-settings.schema';

/** The state of a rule. */
export interface JudgedRule {
  rule: ApprovalRule;
  /** Users whose approvals count for it, oldest first. */
  approverIds: number[];
  /** Number of missing approvals. */
  left: number;
}

/**
 * Checks approvals against rules.
 * @param approverIds users whose approvals count
 * @param members which of them are in a group, by group id
 */
export function judgeRules(
  rules: readonly ApprovalRule[],
  approverIds: readonly number[],
  members: ReadonlyMap<number, ReadonlySet<number>>,
): JudgedRule[] {
  return rules.map((rule) => {
    const counted = approverIds.filter((userId) => counts(rule, userId, members));
    const left = isVoid(rule) ? 0 : Math.max(0, rule.required - counted.length);
    return { rule, approverIds: counted, left };
  });
}

/** Everybody it named is deleted: nobody could meet it. */
const isVoid = ({ type, userIds, groupIds }: ApprovalRule): boolean =>
  type === 'regular' && userIds.length + groupIds.length === 0;

const counts = (
  { type, userIds, groupIds }: ApprovalRule,
  userId: number,
  members: ReadonlyMap<number, ReadonlySet<number>>,
): boolean =>
  type === 'any_approver' ||
  userIds.includes(userId) ||
  groupIds.some((groupId) => members.get(groupId)?.has(userId) ?? false);
