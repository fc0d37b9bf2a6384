import { isCurrent, UserGrants } from './grants';

const asker = { userId: 1, isAdmin: false, isExternal: false };

describe('levels of a user', () => {
  const grants = new UserGrants(
    asker,
    new Map([
      ['group:1', 20],
      ['group:2', 40],
      ['project:9', 30],
    ] as const),
  );

  it('are the highest of project and all groups above', () => {
    expect(grants.inProject({ _id: 9, groupIds: [1] })).toBe(30);
    expect(grants.inProject({ _id: 9, groupIds: [2, 1] })).toBe(40);
    expect(grants.inProject({ _id: 8, groupIds: [] })).toBe(0);
    expect(grants.inGroup({ _id: 3, ancestorIds: [1] })).toBe(20);
  });

  it('are the owner’s in the own namespace, and everywhere for administrators', () => {
    expect(grants.inProject({ _id: 8, groupIds: [], ownerId: 1 })).toBe(50);
    expect(grants.inProject({ _id: 8, groupIds: [], ownerId: 2 })).toBe(0);
    const admin = new UserGrants({ ...asker, isAdmin: true }, new Map());
    expect(admin.inProject({ _id: 8, groupIds: [] })).toBe(50);
    expect(admin.inGroup({ _id: 8, ancestorIds: [] })).toBe(50);
  });

  it('make nobody of those who are not signed in', () => {
    const nobody = new UserGrants({ userId: null, isAdmin: false, isExternal: false }, new Map());
    expect(nobody.inProject({ _id: 8, groupIds: [] })).toBe(0);
  });

  it('name what they are in', () => {
    expect(grants.sources('group')).toEqual([1, 2]);
    expect(grants.sources('group', 30)).toEqual([2]);
    expect(grants.sources('project')).toEqual([9]);
  });

  it('end with their day', () => {
    expect(isCurrent(null, '2020-01-02')).toBe(true);
    expect(isCurrent('2020-01-03', '2020-01-02')).toBe(true);
    expect(isCurrent('2020-01-02', '2020-01-02')).toBe(false);
  });
});
