import { readFileSync } from 'node:fs';
import path from 'node:path';
import { operations } from '../operations';
import { type Ability, abilities, abilityNames, reaches } from './ability';
import type { AccessRule } from './access';

const page = readFileSync(path.join(__dirname, '../../../../docs/api/members.md'), 'utf8');

const openedBy = (ability: Ability) =>
  operations.filter(({ access }) => 'ability' in access && access.ability === ability);
const levelIn = (access: AccessRule): number =>
  'levelInPrivate' in access ? Math.max(access.level, access.levelInPrivate) : 'level' in access ? access.level : 0;

it.each(abilityNames)('%s is accepted by operations that require no more than it grants', (ability) => {
  const opened = openedBy(ability);
  expect(opened.map(({ name }) => name)).not.toEqual([]);
  const { project, group } = abilities[ability];
  const above = opened.filter(({ access }) => levelIn(access) > ((access.on === 'group' ? group : project) ?? 0));
  expect(above.map(({ name }) => name)).toEqual([]);
});

it('does instead of no level that everybody has', () => {
  const open = abilityNames.flatMap((ability) =>
    openedBy(ability).filter(({ access }) => ['project', 'group'].includes(access.on) && levelIn(access) === 0),
  );
  expect(open.map(({ name }) => name)).toEqual([]);
});

it('needs abilities that there are', () => {
  const needed = abilityNames.flatMap((ability) => abilities[ability].needs ?? []);
  expect(needed.filter((name) => !abilityNames.some((ability) => ability === name))).toEqual([]);
});

it('is on the page about members, each in its own line', () => {
  const listed = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(listed).toEqual(abilityNames);
});

it.each([
  [10, [], false],
  [10, ['remove_project'], false],
  [10, ['read_code'], true],
  [20, [], true],
] as const)('level %i with the abilities %j reaches reporters by reading code: %s', (accessLevel, held, expected) => {
  expect(reaches({ accessLevel, abilities: [...held] }, 20, 'read_code')).toBe(expected);
  expect(reaches({ accessLevel, abilities: [...held] }, 20)).toBe(accessLevel === 20);
});
