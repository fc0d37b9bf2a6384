import { mostApprovalRules } from '@moothall/contracts';
import type { ApprovalRule } from '../record/approval-settings.schema';
import { askingEverybody, withChanged, withoutRule, withRule } from './rule-list';

const rule = (id: number, over: Partial<ApprovalRule> = {}): ApprovalRule => ({
  ...{ id, name: `rule ${id}`, type: 'regular', required: 1, userIds: [id], groupIds: [] },
  ...over,
});
const forAll = (id: number) => rule(id, { type: 'any_approver', userIds: [] });
const codeOf = (act: () => unknown) => {
  try {
    act();
    return 'ok';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('the rules of one place', () => {
  it('have each name once, one for everybody, and an end', () => {
    expect(codeOf(() => withRule([rule(1)], rule(2)))).toBe('ok');
    expect(codeOf(() => withRule([rule(1)], rule(2, { name: 'rule 1' })))).toBe('common.invalid_record');
    expect(codeOf(() => withRule([forAll(1)], forAll(2)))).toBe('common.invalid_record');
    const many = Array.from({ length: mostApprovalRules }, (_, id) => rule(id));
    expect(codeOf(() => withRule(many, rule(1000)))).toBe('common.invalid_record');
  });

  it('change one at a time', () => {
    const rules = [rule(1), forAll(2)];
    expect(withChanged(rules, 1, { name: 'rule 1', required: 2 })).toEqual([rule(1, { required: 2 }), rules[1]]);
    expect(codeOf(() => withChanged(rules, 1, { name: 'rule 2' }))).toBe('common.invalid_record');
    expect(withChanged(rules, 2, { userIds: [5] })[1]).toMatchObject({ type: 'regular', userIds: [5] });
    expect(withChanged(rules, 1, { userIds: [] })[0]).toMatchObject({ type: 'regular', userIds: [] });
    expect(withoutRule(rules, 1)).toEqual([rules[1]]);
    for (const act of [() => withChanged(rules, 3, {}), () => withoutRule(rules, 3)])
      expect(codeOf(act)).toBe('approval_rule.not_found');
  });

  it('require approvals of anybody by one rule, created and deleted with the number', () => {
    const asking = askingEverybody([rule(1)], 2, 7);
    expect(asking).toEqual([rule(1), { ...forAll(7), name: 'All Members', required: 2 }]);
    expect(askingEverybody(asking, 3, 8)[1]).toMatchObject({ id: 7, required: 3 });
    expect(askingEverybody(asking, 0, 8)).toEqual([rule(1)]);
    expect(askingEverybody([rule(1)], 0, 8)).toEqual([rule(1)]);
  });
});
