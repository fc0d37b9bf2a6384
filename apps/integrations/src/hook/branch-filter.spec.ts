import { passesFilter, requireFilter } from './branch-filter';
import type { Hook } from './hook.schema';

const filter = (branchFilter: string | null, branchFilterStrategy: Hook['branchFilterStrategy'] = 'wildcard') => ({
  branchFilter,
  branchFilterStrategy,
});

it.each([
  [null, 'main', true],
  ['main', 'main', true],
  ['main', 'maintenance', false],
  ['release/*', 'release/1.0', true],
  ['release/*', 'old/release/1.0', false],
  ['*-stable', '1-0-stable', true],
  ['a.c', 'abc', false],
])('the wildcard %j lets %s pass: %s', (wanted, branch, passes) =>
  expect(passesFilter(filter(wanted), branch)).toBe(passes),
);

it.each([
  ['^(main|stable-.*)$', 'stable-1', true],
  ['^(main|stable-.*)$', 'feature', false],
  ['feat', 'a-feature', true],
])('the expression %j lets %s pass: %s', (wanted, branch, passes) =>
  expect(passesFilter(filter(wanted, 'regex'), branch)).toBe(passes),
);

it('is not evaluated for hooks of all branches', () => {
  expect(passesFilter(filter('main', 'all_branches'), 'other')).toBe(true);
});

it.each(['(', 'a**', '(?<=x)y', '(a{1000}){5}'])('refuses %j', (pattern) => {
  expect(() => requireFilter(filter(pattern, 'regex'))).toThrow();
  expect(() => requireFilter(filter(pattern))).not.toThrow();
});
