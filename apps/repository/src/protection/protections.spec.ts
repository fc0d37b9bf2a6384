import { type NewProtection, newProtection } from './new-protection';
import { actorOf, Protections, reaches } from './protections';

const branch = (name: string, over?: Partial<NewProtection>) => ({ _id: 1, ...newProtection(1, 'branch', name, over) });
const developer = { accessLevel: 30, isAdmin: false };
const maintainer = { accessLevel: 40, isAdmin: false };
const administrator = { accessLevel: 50, isAdmin: true };

it('leaves unprotected branches to developers', () => {
  const protections = new Protections([branch('main')]);
  expect(protections.canPush('topic', developer)).toBe(true);
  expect(protections.canPush('topic', { accessLevel: 20, isAdmin: false })).toBe(false);
  expect([protections.canForcePush('topic'), protections.canForcePush('main')]).toEqual([true, false]);
});

it('allow pushes with one of the levels', () => {
  const protections = new Protections([branch('main')]);
  expect([developer, maintainer].map((actor) => protections.canPush('main', actor))).toEqual([false, true]);
  const closed = new Protections([branch('main', { pushLevels: [0] })]);
  expect([maintainer, administrator].map((actor) => closed.canPush('main', actor))).toEqual([false, false]);
  const administered = new Protections([branch('main', { pushLevels: [60] })]);
  expect([maintainer, administrator].map((actor) => administered.canPush('main', actor))).toEqual([false, true]);
});

it('of several matches the most permissive applies, but one of them can forbid force pushes', () => {
  const protections = new Protections([
    branch('re*', { pushLevels: [30] }),
    branch('release', { pushLevels: [40], allowsForcePush: true }),
  ]);
  expect(protections.canPush('release', developer)).toBe(true);
  expect(protections.canForcePush('release')).toBe(false);
});

it('allow merges with the right to push', () => {
  const protections = new Protections([branch('main', { pushLevels: [30], mergeLevels: [0] })]);
  expect(protections.canMerge('main', developer)).toBe(true);
});

it('use the level in the project, and administration', () => {
  expect(actorOf({ accessLevel: 30 }, undefined)).toEqual({ accessLevel: 30, isAdmin: false });
  expect(actorOf({ accessLevel: 30 }, { isAdmin: true })).toEqual({ accessLevel: 30, isAdmin: true });
});

it.each([
  [0, maintainer, false],
  [0, administrator, false],
  [60, maintainer, false],
  [60, administrator, true],
  [60, { accessLevel: 60, isAdmin: false }, false],
  [40, maintainer, true],
  [40, developer, false],
  [30, maintainer, true],
] as const)('level %i is reached by %j: %s', (level, actor, expected) => expect(reaches(actor, level)).toBe(expected));

it('protects branches and tags apart', () => {
  const protections = new Protections([
    branch('main'),
    branch('v*', { kind: 'tag', pushLevels: [40], allowsForcePush: false }),
    branch('free', { allowsForcePush: true }),
  ]);
  const isProtected = (kind: 'branch' | 'tag') =>
    ['main', 'v1', 'x'].map((name) => protections.isProtected(kind, name));
  expect(isProtected('branch')).toEqual([true, false, false]);
  expect(isProtected('tag')).toEqual([false, true, false]);
  expect(protections.keptBranches()).toEqual(['main']);
  expect([developer, maintainer].map((actor) => protections.canCreateTag('v1', actor))).toEqual([false, true]);
  expect(protections.canCreateTag('other', developer)).toBe(true);
  expect(protections.canPush('v1', developer)).toBe(true);
  expect(protections.canForcePush('free')).toBe(true);
});

it('reports whether developers may push or merge', () => {
  const protections = new Protections([
    branch('push', { pushLevels: [30, 40], mergeLevels: [40] }),
    branch('merge', { pushLevels: [40], mergeLevels: [30] }),
    branch('merge', { pushLevels: [40], mergeLevels: [40] }),
  ]);
  const may = (name: string) => [protections.developersCanPush(name), protections.developersCanMerge(name)];
  expect(['push', 'merge', 'other'].map(may)).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
  expect(protections.canMerge('merge', developer)).toBe(true);
  expect(protections.canMerge('push', { accessLevel: 20, isAdmin: false })).toBe(false);
  expect(protections.canPush('merge', developer)).toBe(false);
});
