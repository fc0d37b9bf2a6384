import type { ProtectedRef } from './protected-ref.schema';
import { matchesPattern, Protections } from './protections';

const branch = (name: string, over: Partial<ProtectedRef> = {}): ProtectedRef => ({
  _id: 1,
  projectId: 1,
  kind: 'branch',
  name,
  pushLevels: [40],
  mergeLevels: [40],
  unprotectLevels: [40],
  allowsForcePush: false,
  needsCodeOwner: false,
  ...over,
});
const developer = { accessLevel: 30, isAdmin: false };
const maintainer = { accessLevel: 40, isAdmin: false };
const administrator = { accessLevel: 50, isAdmin: true };

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
])('%s matches %s: %s', (pattern, name, expected) => {
  expect(matchesPattern(pattern, name)).toBe(expected);
});

it('leaves unprotected branches to developers', () => {
  const protections = new Protections([branch('main')]);
  expect(protections.canPush('topic', developer)).toBe(true);
  expect(protections.canPush('topic', { accessLevel: 20, isAdmin: false })).toBe(false);
  expect([protections.canForcePush('topic'), protections.canForcePush('main')]).toEqual([true, false]);
});

it('lets those push who reach one of the levels', () => {
  const protections = new Protections([branch('main')]);
  expect([developer, maintainer].map((actor) => protections.canPush('main', actor))).toEqual([false, true]);
  const closed = new Protections([branch('main', { pushLevels: [0] })]);
  expect([maintainer, administrator].map((actor) => closed.canPush('main', actor))).toEqual([false, false]);
  const administered = new Protections([branch('main', { pushLevels: [60] })]);
  expect([maintainer, administrator].map((actor) => administered.canPush('main', actor))).toEqual([false, true]);
});

it('takes the most generous of several protections, but keeps history while one wants it kept', () => {
  const protections = new Protections([
    branch('re*', { pushLevels: [30] }),
    branch('release', { pushLevels: [40], allowsForcePush: true }),
  ]);
  expect(protections.canPush('release', developer)).toBe(true);
  expect(protections.canForcePush('release')).toBe(false);
});

it('lets those who push merge as well', () => {
  const protections = new Protections([branch('main', { pushLevels: [30], mergeLevels: [0] })]);
  expect(protections.canMerge('main', developer)).toBe(true);
});
