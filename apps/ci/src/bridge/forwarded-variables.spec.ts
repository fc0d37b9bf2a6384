import type { CiVariable } from '@moothall/contracts';
import { forwardedVariables } from './forwarded-variables';

const both = { forwardsVariables: true, forwardsPipelineVariables: true };
const given: CiVariable[] = [{ key: 'MODE', value: 'full', variable_type: 'file' }];
const forwarded = (variables: Record<string, string>, forwards = both, known: Record<string, string> = {}) =>
  forwardedVariables({ variables }, forwards, known, given);

it('passes on the variables of the job, with references resolved; variables of its pipeline take precedence', () => {
  expect(forwarded({ A: 'on $REF', MODE: 'none' }, both, { REF: 'main' })).toEqual([
    { key: 'A', value: 'on main', variable_type: 'env_var' },
    ...given,
  ]);
  expect(forwarded({ A: 'x' }, { ...both, forwardsPipelineVariables: false })).toHaveLength(1);
  expect(forwarded({ A: 'x' }, { ...both, forwardsVariables: false })).toEqual(given);
});

it('omits variables that a pipeline cannot have', () => {
  expect(forwarded({ 'not a key': 'x', '': 'y' })).toEqual(given);
});

it('passes on no more variables than a pipeline can have', () => {
  expect(forwarded({ A: '$LONG' }, both, { LONG: 'x'.repeat(10_001) })).toBeUndefined();
  expect(forwarded({ A: '$LONG' }, both, { LONG: 'x'.repeat(10_000) })).toHaveLength(2);
  const many = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`KEY_${index}`, value]));
  expect(forwarded(many(999, 'x'))).toHaveLength(1000);
  expect(forwarded(many(1000, 'x'))).toBeUndefined();
  expect(forwarded(many(101, 'x'.repeat(10_000)))).toBeUndefined();
});
