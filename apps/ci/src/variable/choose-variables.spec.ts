import { chooseVariables, isInScope } from './choose-variables';
import type { VariableOwner } from './variable-owner';

const owners: VariableOwner[] = ['instance', 'group 1', 'group 2', 'project 3'];
const kept = (owner: VariableOwner, environmentScope = '*', isProtected = false, key = 'KEY') => ({
  owner,
  key,
  isProtected,
  environmentScope,
});
const chosen = (variables: ReturnType<typeof kept>[], need: { isProtected?: boolean; environment?: string } = {}) =>
  chooseVariables(variables, owners, { isProtected: false, ...need });

it('prefers the project, then the nearest group, then the instance', () => {
  const all = [kept('project 3'), kept('instance'), kept('group 2'), kept('group 1')];
  expect(chosen(all)).toEqual([kept('project 3')]);
  expect(chosen(all.slice(1))).toEqual([kept('group 2')]);
  expect(chosen([kept('group 1'), kept('instance')])).toEqual([kept('group 1')]);
  expect(chosen([kept('instance')])).toEqual([kept('instance')]);
});

it('selects protected variables only for protected refs', () => {
  const all = [kept('instance'), kept('project 3', '*', true)];
  expect(chosen(all)).toEqual([kept('instance')]);
  expect(chosen(all, { isProtected: true })).toEqual([kept('project 3', '*', true)]);
});

it('prefers the most specific scope of one owner', () => {
  const all = [
    kept('group 1', 'review/*'),
    kept('group 1', 'review/long-*'),
    kept('group 1', 'review/a'),
    kept('group 1'),
  ];
  const scopeFor = (environment?: string) =>
    chosen(all, environment === undefined ? {} : { environment })[0]!.environmentScope;
  expect([undefined, 'review/a', 'review/b', 'review/long-b', 'production'].map(scopeFor)).toEqual([
    '*',
    'review/a',
    'review/*',
    'review/long-*',
    '*',
  ]);
  expect(chosen([...all, kept('project 3')], { environment: 'review/a' })).toEqual([kept('project 3')]);
});

it('distinguishes keys', () => {
  expect(chosen([kept('instance', '*', false, 'A'), kept('project 3', '*', false, 'B')])).toHaveLength(2);
});

it.each([
  ['*', undefined, true],
  ['*', 'production', true],
  ['production', 'production', true],
  ['production', 'Production', false],
  ['production', undefined, false],
  ['review/*', 'review/', true],
  ['review/*', 'reviews', false],
  ['*/b', 'a/b', true],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'a-c', false],
  ['a*a', 'a', false],
  ['a.c', 'abc', false],
])('scope %s has environment %s: %s', (scope, environment, is) => {
  expect(isInScope(scope, environment)).toBe(is);
});
