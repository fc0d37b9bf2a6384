import type { CiVariable } from '@moothall/contracts';
import { forwardedVariables } from './forwarded-variables';

const both = { forwardsVariables: true, forwardsPipelineVariables: true };
const given: CiVariable[] = [{ key: 'MODE', value: 'full', variable_type: 'file' }];
const forwarded = (variables: Record<string, string>, forwards = both, known: Record<string, string> = {}) =>
  forwardedVariables({ variables }, forwards, known, given);

it('hands on what the job has, with others put in, and what its pipeline was made with, which wins', () => {
  expect(forwarded({ A: 'on $REF', MODE: 'none' }, both, { REF: 'main' })).toEqual([
    { key: 'A', value: 'on main', variable_type: 'env_var' },
    ...given,
  ]);
  expect(forwarded({ A: 'x' }, { ...both, forwardsPipelineVariables: false })).toHaveLength(1);
  expect(forwarded({ A: 'x' }, { ...both, forwardsVariables: false })).toEqual(given);
});

it('leaves out what no pipeline is made with', () => {
  expect(forwarded({ 'not a key': 'x', '': 'y' })).toEqual(given);
});

it('hands on nothing beyond what a pipeline may be made with', () => {
  expect(forwarded({ A: '$LONG' }, both, { LONG: 'x'.repeat(10_001) })).toBeUndefined();
  expect(forwarded({ A: '$LONG' }, both, { LONG: 'x'.repeat(10_000) })).toHaveLength(2);
  const many = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`KEY_${index}`, value]));
  expect(forwarded(many(999, 'x'))).toHaveLength(1000);
  expect(forwarded(many(1000, 'x'))).toBeUndefined();
  expect(forwarded(many(101, 'x'.repeat(10_000)))).toBeUndefined();
});
