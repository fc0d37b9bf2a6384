import { inOrder, isRemovable, membershipsOf, type Person } from './billable-rules';

const row = (userId: number, source: 'group:1' | 'project:2' | 'group:9', accessLevel: number, day: string) => ({
  ...{ userId, source, accessLevel },
  createdAt: new Date(`${day}T00:00:00Z`),
});

describe('the billable level of a user in a group and below it', () => {
  const shares = [
    { source: 'project:2', groupIds: [9, 8], accessLevel: 20 },
    { source: 'group:1', groupIds: [9], accessLevel: 30 },
  ] as const;
  const memberships = membershipsOf(
    [row(1, 'project:2', 40, '2031-01-02'), row(1, 'group:1', 10, '2031-01-05'), row(2, 'project:2', 30, '2031-01-03')],
    [row(3, 'group:9', 50, '2031-01-04'), row(2, 'group:9', 10, '2031-01-01')],
    shares.map(({ groupIds, ...share }) => ({ ...share, groupIds: [...groupIds] })),
  );

  it('has the nearest way, the highest level and the first day', () => {
    const at = (day: string) => new Date(`2031-01-${day}T00:00:00Z`);
    expect([...memberships]).toEqual([
      [1, { type: 'group_member', accessLevel: 40, joinedAt: at('02') }],
      [2, { type: 'project_member', accessLevel: 30, joinedAt: at('01') }],
      [3, { type: 'group_invite', accessLevel: 30, joinedAt: at('04') }],
    ]);
  });

  it('ends by removal if it is direct', () => {
    expect([...memberships.values()].map(isRemovable)).toEqual([true, true, false]);
  });
});

const person = (id: number, name: string, accessLevel: number, last: string | null): Person => ({
  user: { id, name } as Person['user'],
  activity: { id, is_bot: false, last_activity_on: last, last_sign_in_at: last },
  membership: { type: 'group_member', accessLevel, joinedAt: new Date(Date.UTC(2031, 0, 10 - id)) },
});

it.each([
  ['name_asc', [2, 1, 3]],
  ['name_desc', [3, 1, 2]],
  ['access_level_asc', [2, 3, 1]],
  ['access_level_desc', [1, 2, 3]],
  ['last_joined', [1, 2, 3]],
  ['oldest_joined', [3, 2, 1]],
  ['recent_sign_in', [3, 1, 2]],
  ['oldest_sign_in', [2, 1, 3]],
  ['last_activity_on_asc', [2, 1, 3]],
  ['last_activity_on_desc', [3, 1, 2]],
] as const)('members by %s are %j', (sort, expected) => {
  const people = [person(1, 'bob', 40, '2031-01-01'), person(2, 'Ann', 20, null), person(3, 'Cem', 20, '2031-01-02')];
  expect(inOrder(people, sort).map(({ user }) => user.id)).toEqual(expected);
});
