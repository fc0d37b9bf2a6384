import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { statusOf } from './status-of';

/* Members, direct and inherited, by @gitbeaker/rest's GroupMembers and ProjectMembers. */

type User = Awaited<ReturnType<typeof newUser>>;

let owner: User;
let ann: User;
let ben: User;
let groupId: number;
let projectId: number;

beforeAll(async () => {
  [owner, ann, ben] = await Promise.all([newUser('owner'), newUser('ann'), newUser('ben')]);
  const name = uniqueName('team');
  groupId = (await owner.client.Groups.create(name, name)).id;
  projectId = (await owner.client.Projects.create({ name: 'work', namespaceId: groupId })).id;
});

const ids = (members: { id: number }[]) => members.map(({ id }) => id).sort((one, other) => one - other);
const sorted = (...numbers: number[]) => numbers.sort((one, other) => one - other);

describe('of a group', () => {
  it('are added, read, changed and removed, with immediate effect below the group', async () => {
    const { GroupMembers } = owner.client;
    expect(await statusOf(ann.client.Groups.show(groupId))).toBe(404);
    const added = await GroupMembers.add(groupId, 20, { userId: ann.id, expiresAt: '2099-01-01' });
    expect(added).toMatchObject({ id: ann.id, access_level: 20, expires_at: '2099-01-01', username: ann.username });
    expect((await ann.client.Projects.show(projectId)).id).toBe(projectId);
    expect(await statusOf(GroupMembers.add(groupId, 20, { userId: ann.id }))).toBe(409);
    expect(await statusOf(GroupMembers.add(groupId, 25 as 20, { userId: ben.id }))).toBe(400);
    expect(await statusOf(GroupMembers.add(groupId, 20, { userId: 999_999 }))).toBe(404);
    expect(await statusOf(GroupMembers.add(groupId, 20, { userId: ben.id, expiresAt: '2001-01-01' }))).toBe(400);
    expect(ids(await GroupMembers.all(groupId))).toEqual(sorted(owner.id, ann.id));
    expect(await GroupMembers.all(groupId, { query: ann.username })).toMatchObject([{ id: ann.id }]);
    expect(await GroupMembers.show(groupId, ann.id)).toMatchObject({ access_level: 20 });
    expect(await GroupMembers.edit(groupId, ann.id, 30)).toMatchObject({ access_level: 30 });
    expect(await statusOf(ann.client.GroupMembers.add(groupId, 10, { userId: ben.id }))).toBe(403);
    await GroupMembers.remove(groupId, ann.id);
    expect(await statusOf(GroupMembers.show(groupId, ann.id))).toBe(404);
    expect(await statusOf(ann.client.Projects.show(projectId))).toBe(404);
  });

  it('are added together, and the last owner cannot be removed', async () => {
    const { GroupMembers } = owner.client;
    const several = `${ann.id},${ben.id}` as unknown as number;
    expect(await GroupMembers.add(groupId, 10, { userId: several })).toMatchObject({ status: 'success' });
    expect(ids(await GroupMembers.all(groupId))).toEqual(sorted(owner.id, ann.id, ben.id));
    expect(await statusOf(GroupMembers.remove(groupId, owner.id))).toBe(403);
    await ann.client.GroupMembers.remove(groupId, ann.id);
    await GroupMembers.remove(groupId, ben.id);
    expect(ids(await GroupMembers.all(groupId))).toEqual([owner.id]);
  });
});

describe('of a project', () => {
  it('are added, read, changed and removed', async () => {
    const { ProjectMembers } = owner.client;
    expect(await ProjectMembers.add(projectId, 30, { userId: ann.id })).toMatchObject({ access_level: 30 });
    expect(ids(await ProjectMembers.all(projectId))).toEqual([ann.id]);
    expect(await ProjectMembers.edit(projectId, ann.id, 40, { expiresAt: '2099-05-05' })).toMatchObject({
      access_level: 40,
      expires_at: '2099-05-05',
    });
    // A maintainer cannot grant a higher level.
    expect(await statusOf(ann.client.ProjectMembers.add(projectId, 50, { userId: ben.id }))).not.toBe(0);
    expect(await ann.client.ProjectMembers.add(projectId, 10, { userId: ben.id })).toMatchObject({ access_level: 10 });
    expect(await statusOf(ben.client.ProjectMembers.remove(projectId, ann.id))).toBe(403);
    await ann.client.ProjectMembers.remove(projectId, ben.id);
    expect(await statusOf(ProjectMembers.show(projectId, ben.id))).toBe(404);
  });

  it('are inherited, each with the highest level', async () => {
    const { GroupMembers, ProjectMembers } = owner.client;
    await GroupMembers.add(groupId, 20, { userId: ben.id });
    expect(ids(await ProjectMembers.all(projectId))).toEqual([ann.id]);
    const all = await ProjectMembers.all(projectId, { includeInherited: true });
    expect(ids(all)).toEqual(sorted(owner.id, ann.id, ben.id));
    expect(await ProjectMembers.show(projectId, ben.id, { includeInherited: true })).toMatchObject({
      access_level: 20,
    });
    expect(await statusOf(ProjectMembers.show(projectId, ben.id))).toBe(404);
    // A direct membership cannot be below the inherited level.
    expect(await statusOf(ProjectMembers.add(projectId, 10, { userId: ben.id }))).toBe(400);
  });

  it('are imported from another project', async () => {
    const { Projects, ProjectMembers } = owner.client;
    const other = await Projects.create({ name: uniqueName('copy') });
    expect(await Projects.importProjectMembers(other.id, projectId)).toEqual({ status: 'success' });
    const copied = await ProjectMembers.all(other.id);
    expect(copied).toContainEqual(expect.objectContaining({ id: ann.id, access_level: 40, expires_at: '2099-05-05' }));
    expect(ids(copied)).toEqual(sorted(owner.id, ann.id));
    const stranger = await newUser('stranger');
    const own = await stranger.client.Projects.create({ name: uniqueName('own') });
    expect(await statusOf(stranger.client.Projects.importProjectMembers(own.id, projectId))).toBe(404);
  });
});

it('of a subgroup read a private group above it as soon as they read a project in it', async () => {
  const below = await owner.client.Groups.create('below', uniqueName('below'), { parentId: groupId });
  const cat = await newUser('cat');
  await owner.client.GroupMembers.add(below.id, 30, { userId: cat.id });
  expect((await cat.client.Groups.show(below.id)).parent_id).toBe(groupId);
  expect(await statusOf(cat.client.Groups.show(groupId))).toBe(404);
  // Lists contain it anyway, because the path of the subgroup shows it.
  expect(ids(await cat.client.Groups.all())).toEqual(expect.arrayContaining([groupId, below.id]));
  const project = await owner.client.Projects.create({ name: 'inside', namespaceId: below.id });
  await until('the group above', async () => (await statusOf(cat.client.Groups.show(groupId))) === 0);
  expect(ids(await cat.client.Groups.allSubgroups(groupId))).toEqual([below.id]);
  expect(ids(await cat.client.Groups.allProjects(groupId, { includeSubgroups: true }))).toEqual([project.id]);
  expect(await statusOf(cat.client.Groups.edit(groupId, { name: 'mine' }))).toBe(403);
  expect(await cat.client.Groups.all({ allAvailable: false, search: 'team' })).toEqual([]);
  expect(await root.Groups.allSubgroups(groupId)).toMatchObject([{ id: below.id }]);
});

it('administrators see the memberships of a user', async () => {
  const { client, id } = await newUser('member');
  await owner.client.GroupMembers.add(groupId, 20, { userId: id });
  expect(await root.Users.allMemberships(id)).toEqual([
    { source_id: groupId, source_name: expect.any(String), source_type: 'Namespace', access_level: 20 },
  ]);
  expect(await root.Users.allMemberships(id, { type: 'Project' })).toEqual([]);
  expect(await statusOf(client.Users.allMemberships(id))).toBe(403);
});
