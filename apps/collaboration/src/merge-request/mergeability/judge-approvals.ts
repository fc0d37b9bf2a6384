import type { ApprovalRule } from '../record/approval-settings.schema';

/** How far a rule is met. */
export interface JudgedRule {
  rule: ApprovalRule;
  /** Users who approved by it, oldest first. */
  approverIds: number[];
  /** How many are still to approve. */
  left: number;
}

/**
 * Holds approvals against rules.
 * @param approverIds whose approvals count at all
 * @param members who of them is in a group, by its id
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

/** Everybody whom it named is gone: nobody could ever meet it. */
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
