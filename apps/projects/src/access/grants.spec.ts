import type { Ability } from '@moothall/contracts';
import { callerNamed } from '@moothall/testing';
import { Grants, isCurrent, type Principal, principalOf, today, UserGrants } from './grants';

const principal = { userId: 1, isAdmin: false, isExternal: false };

describe('levels of a user', () => {
  const grants = new UserGrants(
    principal,
    new Map([
      ['group:1', 20],
      ['group:2', 40],
      ['project:9', 30],
    ] as const),
  );

  it('are the highest of project and all groups above', () => {
    expect(grants.levelInProject({ _id: 9, groupIds: [1] })).toBe(30);
    expect(grants.levelInProject({ _id: 9, groupIds: [2, 1] })).toBe(40);
    expect(grants.levelInProject({ _id: 8, groupIds: [] })).toBe(0);
    expect(grants.levelInGroup({ _id: 3, ancestorIds: [1] })).toBe(20);
  });

  it('are the owner’s in the own namespace, and everywhere for administrators', () => {
    expect(grants.levelInProject({ _id: 8, groupIds: [], ownerId: 1 })).toBe(50);
    expect(grants.levelInProject({ _id: 8, groupIds: [], ownerId: 2 })).toBe(0);
    const admin = new UserGrants({ ...principal, isAdmin: true }, new Map());
    expect(admin.levelInProject({ _id: 8, groupIds: [] })).toBe(50);
    expect(admin.levelInGroup({ _id: 8, ancestorIds: [] })).toBe(50);
  });

  it('are empty for anonymous callers', () => {
    const nobody = new UserGrants({ userId: null, isAdmin: false, isExternal: false }, new Map());
    expect(nobody.levelInProject({ _id: 8, groupIds: [] })).toBe(0);
  });

  it('list the groups and projects of the user', () => {
    expect(grants.sources('group')).toEqual([1, 2]);
    expect(grants.sources('group', 30)).toEqual([2]);
    expect(grants.sources('project')).toEqual([9]);
    expect(grants.sources('group', 20)).toEqual([1, 2]);
    expect(grants.sources('project', 40)).toEqual([]);
    const none = new UserGrants(principal, new Map([['group:1', 0]] as const));
    expect(none.sources('group')).toEqual([]);
  });

  it('include abilities of member roles, in the group of the role', () => {
    const role = (groupId: number | null, ...abilities: Ability[]) => ({
      ...{ _id: 1, name: 'r', description: null, baseAccessLevel: 20, groupId, abilities },
    });
    const withRoles = new UserGrants(
      principal,
      new Map(),
      new Map([
        ['group:1', role(1, 'read_code', 'admin_web_hook')],
        ['project:9', role(null, 'read_code', 'remove_project')],
        ['project:8', role(1, 'archive_project')],
      ] as const),
    );
    const inside = withRoles.abilitiesInProject({ _id: 9, groupIds: [2, 1] });
    expect(inside.sort()).toEqual(['admin_web_hook', 'read_code', 'remove_project']);
    expect(withRoles.abilitiesInProject({ _id: 8, groupIds: [2] })).toEqual([]);
    expect(withRoles.abilitiesInGroup({ _id: 2, ancestorIds: [1] })).toEqual(['read_code', 'admin_web_hook']);
    expect(withRoles.abilitiesInGroup({ _id: 3, ancestorIds: [] })).toEqual([]);
    expect(grants.abilitiesInProject({ _id: 9, groupIds: [1] })).toEqual([]);
  });

  it('end with their day', () => {
    expect(isCurrent(null, '2020-01-02')).toBe(true);
    expect(isCurrent('2020-01-03', '2020-01-02')).toBe(true);
    expect(isCurrent('2020-01-02', '2020-01-02')).toBe(false);
  });
});

/** Rows as the database returns them; queries use equality and `$in`. */
const modelOf = (rows: object[]) => {
  const isIn = (value: unknown, asked: unknown): boolean => {
    const { $in } = (asked ?? {}) as { $in?: unknown[] };
    if (!$in) return value === asked;
    return Array.isArray(value) ? value.some((one) => $in.includes(one)) : $in.includes(value);
  };
  const asked: object[] = [];
  const find = (filter: Record<string, unknown>) => {
    asked.push(filter);
    const found = rows.filter((row) =>
      Object.entries(filter).every(([field, value]) => isIn((row as Record<string, unknown>)[field], value)),
    );
    return { toArray: async () => found };
  };
  return { db: {}, collection: { name: 'rows', find }, asked };
};

const member = (userId: number, source: string, accessLevel: number, expiresAt: string | null = null) => ({
  userId,
  source,
  accessLevel,
  expiresAt,
});
const share = (source: string, groupIds: number[], accessLevel: number, expiresAt: string | null = null) => ({
  source,
  groupIds,
  accessLevel,
  expiresAt,
});

function grantsOf(members: object[], shares: object[] = []) {
  const models = { members: modelOf(members), shares: modelOf(shares) };
  const roles = { named: async () => new Map() };
  const read = (filter: Record<string, unknown>) => models.shares.collection.find(filter).toArray();
  const repository = {
    listOfSources: (sources: string[]) => read({ source: { $in: sources } }),
    listWithGroups: async (groupIds: number[]) => (groupIds.length > 0 ? read({ groupIds: { $in: groupIds } }) : []),
  };
  return { ...models, grants: new Grants(models.members as never, repository as never, roles as never) };
}

describe('the caller', () => {
  it('is anonymous without a credential', () => {
    expect(principalOf(undefined)).toEqual({ userId: null, isAdmin: false, isExternal: false });
    const caller = callerNamed('root', { isAdmin: true, isExternal: true });
    expect(principalOf(caller)).toEqual({ userId: caller.id, isAdmin: true, isExternal: true });
    expect(principalOf(callerNamed('ann'))).toMatchObject({ isAdmin: false, isExternal: false });
  });
});

describe.each([
  ['all levels', (grants: Grants) => grants.findLevels(principal)],
  ['the levels in one project', (grants: Grants) => grants.findLevelsWithin(principal, ['project:9', 'group:3'])],
] as const)('%s of a user', (_, levelsOf) => {
  const inProject = async (members: object[], shares: object[] = []) =>
    (await levelsOf(grantsOf(members, shares).grants)).levelInProject({ _id: 9, groupIds: [3] });

  it('are those of current memberships, their own', async () => {
    expect(await inProject([member(1, 'project:9', 20), member(1, 'group:3', 30)])).toBe(30);
    expect(await inProject([member(1, 'project:9', 40, today()), member(2, 'project:9', 50)])).toBe(0);
    expect(await inProject([member(1, 'project:9', 40, '2999-01-01')])).toBe(40);
  });

  it('are those of a deploy token for its project or group, and none elsewhere', async () => {
    const { grants } = grantsOf([member(1, 'project:9', 50)]);
    const chain = ['project:9', 'group:3'] as const;
    const level = async (opens: Principal['opens']) => {
      const token = { ...principal, userId: null, opens };
      const found = [await grants.findLevels(token), await grants.findLevelsWithin(token, [...chain])];
      return found.map((one) => one.levelInProject({ _id: 9, groupIds: [3] }));
    };
    expect(await level({ kind: 'project', id: 9 })).toEqual([30, 30]);
    expect(await level({ kind: 'group', id: 3 })).toEqual([30, 30]);
    expect(await level({ kind: 'project', id: 3 })).toEqual([0, 0]);
    expect(await level({ kind: 'group', id: 9 })).toEqual([0, 0]);
  });

  it.each([
    ['no more than the share gives', 50, 20, 20],
    ['no more than their own in the invited group', 10, 30, 10],
  ])('through a share are %s', async (_, own, given, expected) => {
    expect(await inProject([member(1, 'group:7', own)], [share('project:9', [7], given)])).toBe(expected);
    expect(await inProject([member(1, 'group:7', own)], [share('group:3', [8, 7], given)])).toBe(expected);
  });

  it('are the highest of all ways', async () => {
    const shares = [share('project:9', [7], 30), share('project:9', [8], 20)];
    const invited = [member(1, 'group:7', 50), member(1, 'group:8', 50)];
    expect(await inProject([...invited, member(1, 'project:9', 10)], shares)).toBe(30);
    expect(await inProject([...invited, member(1, 'project:9', 40)], shares)).toBe(40);
    expect(
      await inProject([member(1, 'group:7', 10), member(1, 'group:8', 20)], [share('project:9', [7, 8], 40)]),
    ).toBe(20);
  });

  it('do not include a share that has expired, or with a group of which they are no member', async () => {
    const invited = [member(1, 'group:7', 30)];
    expect(await inProject(invited, [share('project:9', [7], 30, today())])).toBe(0);
    expect(await inProject(invited, [share('project:9', [8], 30)])).toBe(0);
    expect(await inProject([member(1, 'project:7', 30)], [share('project:9', [7], 30)])).toBe(0);
    expect(await inProject([member(1, 'group:7', 30, today())], [share('project:9', [7], 30)])).toBe(0);
  });
});

describe('levels', () => {
  it('cost no query for callers with none or all', async () => {
    const { grants, members, shares } = grantsOf([member(1, 'project:9', 30)], [share('project:9', [7], 30)]);
    const nobody = { ...principal, userId: null };
    expect((await grants.findLevels(nobody)).levelInProject({ _id: 9, groupIds: [] })).toBe(0);
    expect((await grants.findLevelsWithin(nobody, ['project:9'])).levelInProject({ _id: 9, groupIds: [] })).toBe(0);
    expect(
      (await grants.findLevelsWithin({ ...principal, isAdmin: true }, ['project:9'])).levelInProject({
        _id: 9,
        groupIds: [],
      }),
    ).toBe(50);
    expect([...members.asked, ...shares.asked]).toEqual([]);
    // A user without a group has no invited access.
    await grants.findLevels(principal);
    expect(shares.asked).toEqual([]);
  });

  it('cost no third query if nothing is shared', async () => {
    const { grants, members } = grantsOf([member(1, 'project:9', 30)]);
    await grants.findLevelsWithin(principal, ['project:9']);
    await grants.findLevelsOfUsers(['project:9']);
    expect(members.asked).toHaveLength(2);
  });

  it('omit shares without a level', async () => {
    const { grants } = grantsOf([member(1, 'group:7', 0)], [share('project:9', [7], 30)]);
    const levels = await grants.findLevels(principal);
    expect(levels.sources('project', 0)).toEqual([]);
  });

  it('of many are the highest of each, in and through the chain', async () => {
    const members = [
      member(1, 'project:9', 20),
      member(1, 'group:3', 30),
      member(2, 'group:7', 50),
      member(3, 'group:8', 50),
      member(4, 'project:9', 10, today()),
      member(5, 'group:7', 10),
      member(1, 'group:7', 50),
    ];
    const { grants } = grantsOf(members, [share('project:9', [7], 40), share('group:3', [7], 20)]);
    expect([...(await grants.findLevelsOfUsers(['project:9', 'group:3']))]).toEqual([
      [1, 40],
      [2, 40],
      [5, 10],
    ]);
    expect([...(await grants.findLevelsOfUsers(['project:9', 'group:3'], [2, 3]))]).toEqual([[2, 40]]);
    expect([...(await grantsOf(members).grants.findLevelsOfUsers(['project:9']))]).toEqual([[1, 20]]);
  });

  it('of many are through shares those of the group that each is in', async () => {
    const members = [member(2, 'group:7', 50), member(3, 'group:8', 50)];
    const { grants } = grantsOf(members, [share('project:9', [7], 20), share('project:9', [8], 40)]);
    expect([...(await grants.findLevelsOfUsers(['project:9']))]).toEqual([
      [2, 20],
      [3, 40],
    ]);
  });
});
