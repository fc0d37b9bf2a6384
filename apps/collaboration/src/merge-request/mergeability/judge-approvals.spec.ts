import type { ApprovalRule } from '../record/approval-settings.schema';
import { judgeRules } from './judge-approvals';

const rule = (over: Partial<ApprovalRule>): ApprovalRule => ({
  ...{ id: 1, name: 'rule', type: 'regular', required: 1, userIds: [], groupIds: [] },
  ...over,
});
const groups = new Map([[7, new Set([3])]]);

describe('a rule of approval', () => {
  it.each([
    ['for everybody counts each approval', { type: 'any_approver', required: 3 }, [1, 2], 1],
    ['counts those that it names', { userIds: [1, 2], required: 2 }, [1], 1],
    ['counts nobody else', { userIds: [1], required: 1 }, [], 1, [2, 3]],
    ['counts members of the groups that it names', { groupIds: [7], userIds: [1], required: 2 }, [1, 3], 0, [1, 2, 3]],
    ['counts nobody of a group that is gone', { groupIds: [8], required: 1 }, [], 1, [3]],
    ['asks for no more than it has', { userIds: [1, 2], required: 1 }, [1, 2], 0],
    ['that names nobody any more is met', { required: 2 }, [], 0],
    ['that asks for nobody is met', { userIds: [1], required: 0 }, [], 0],
  ] as const)('%s', (_what, over, counted, left, approvers: readonly number[] = counted) => {
    const given = rule(over as Partial<ApprovalRule>);
    expect(judgeRules([given], approvers, groups)).toEqual([{ rule: given, approverIds: [...counted], left }]);
  });
});
