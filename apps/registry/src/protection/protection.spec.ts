import type { RuleLevel } from '@moothall/contracts';
import { Protection } from './protection';

const [developer, maintainer, owner, administrator] = [30, 40, 50, 60];
const images = (pattern: string, pushLevel: RuleLevel | null, deletionLevel: RuleLevel | null = null) =>
  ({ protects: 'images', pattern, pushLevel, deletionLevel }) as const;
const tags = (pattern: string, pushLevel: RuleLevel, deletionLevel: RuleLevel) =>
  ({ protects: 'tags', pattern, pushLevel, deletionLevel }) as const;

it.each([
  ['g/app', 'maintainer', developer, true],
  ['g/app', 'maintainer', maintainer, false],
  ['g/app', 'owner', maintainer, true],
  ['g/app', 'owner', owner, false],
  ['g/app', 'admin', owner, true],
  ['g/app', 'admin', administrator, false],
  ['g/app/prod*', 'owner', developer, false],
  ['g/app', null, developer, false],
] as const)('the rule %s, %s refuses a push to g/app at %i: %s', (pattern, level, rank, refused) => {
  expect(new Protection([images(pattern, level, 'admin')]).refusesPush('g/app', rank)).toBe(refused);
});

it('the highest level of several rules applies', () => {
  const protection = new Protection([images('*', 'maintainer'), images('g/app/prod', 'owner')]);
  expect(protection.refusesPush('g/app/prod', maintainer)).toBe(true);
  expect(protection.refusesPush('g/app', maintainer)).toBe(false);
});

it('protects tags of a name from lower levels, and the image that may have such tags', () => {
  const protection = new Protection([tags('^v\\d', 'maintainer', 'owner')]);
  const kept = protection.keptTags('g/app', maintainer);
  expect(['v1', 'latest', 'dev1'].filter(kept)).toEqual(['v1']);
  expect(['v1', 'latest'].filter(protection.keptTags('g/app', owner))).toEqual([]);
  expect(protection.refusesDeletion('g/app', maintainer)).toBe(true);
  expect(protection.refusesDeletionOfAny('g/app', maintainer)).toBe(false);
  expect([protection.refusesPush('g/app', developer), protection.refusesPush('g/app', maintainer)]).toEqual([
    true,
    false,
  ]);
});

it('protects all tags of a protected image', () => {
  const kept = new Protection([images('g/*', null, 'owner')]).keptTags('g/app', maintainer);
  expect(['v1', 'latest'].every(kept)).toBe(true);
});
