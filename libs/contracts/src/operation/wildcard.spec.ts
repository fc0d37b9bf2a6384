import { matchesWildcard } from './wildcard';

it.each([
  ['main', 'main', true],
  ['main', 'mainline', false],
  ['*-stable', '1-0-stable', true],
  ['release/*', 'release/', true],
  ['release/*', 'prerelease/1', false],
  ['a*a', 'a', false],
  ['*x*y*', 'axbyc', true],
  ['*x*y*', 'ayxc', false],
  ['m.in', 'main', false],
  ['*', '', true],
  ['a*b', 'ab', true],
  ['a*b', 'xab', false],
  ['a*b', 'abx', false],
  ['ab*ba', 'aba', false],
  ['*xx*x', 'xx', false],
  ['*xx*x', 'xxx', true],
  ['*xx*xx*', 'xxx', false],
  ['*xx*xx*', 'xxxx', true],
  ['*a*b*', 'b', false],
  ['a*c*', 'ac', true],
])('%s matches %s: %s', (pattern, name, expected) => {
  expect(matchesWildcard(pattern, name)).toBe(expected);
});
