import { ask, newUser, root, uniqueName } from '../server/connection';
import { untilGatewaysKnow } from '../server/until';
import { statusOf } from './status-of';

/* Groups by every method of @gitbeaker/rest's Groups and Namespaces that the API has. */

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const image = () => new Blob([new Uint8Array(png)], { type: 'image/png' });

type User = Awaited<ReturnType<typeof newUser>>;
let owner: User;
let other: User;
beforeAll(async () => {
  [owner, other] = await Promise.all([newUser('owner'), newUser('other')]);
});

const create = (over: object = {}) => {
  const path = uniqueName('group');
  return owner.client.Groups.create(path, path, over);
};
const ids = (groups: { id: number }[]) => groups.map(({ id }) => id);

it('are created, read, changed and deleted', async () => {
  const { Groups } = owner.client;
  const group = await create({ description: 'ours', visibility: 'internal' });
  expect(group).toMatchObject({ description: 'ours', visibility: 'internal', parent_id: null, lfs_enabled: true });
  expect(await Groups.show(group.id)).toMatchObject({ full_path: group.path, projects: [], shared_projects: [] });
  expect(await Groups.edit(group.id, { name: 'New name', visibility: 'private' })).toMatchObject({ name: 'New name' });
  expect(await statusOf(other.client.Groups.show(group.id))).toBe(404);
  expect(await statusOf(Groups.create('x', group.path))).toBe(400);
  expect(await statusOf(Groups.create('x', 'api'))).toBe(400);
  await Groups.remove(group.id);
  expect(await statusOf(Groups.show(group.id))).toBe(404);
});

it('are listed, searched, sorted and found by level', async () => {
  const stem = uniqueName('find');
  const [one, two] = [
    await owner.client.Groups.create(`${stem} b`, `${stem}-b`),
    await owner.client.Groups.create(`${stem} a`, `${stem}-a`, { visibility: 'public' }),
  ];
  expect(ids(await owner.client.Groups.search(stem))).toEqual([two.id, one.id]);
  expect(ids(await owner.client.Groups.all({ search: stem, orderBy: 'id', sort: 'asc' }))).toEqual([one.id, two.id]);
  expect(ids(await other.client.Groups.all({ search: stem }))).toEqual([two.id]);
  expect(await other.client.Groups.all({ search: stem, owned: true })).toEqual([]);
  expect(ids(await owner.client.Groups.all({ search: stem, skipGroups: [one.id] }))).toEqual([two.id]);
  expect(ids(await owner.client.Groups.all({ search: stem, minAccessLevel: 50 }))).toHaveLength(2);
});

it('have subgroups and projects, with shared ones', async () => {
  const { Groups, Projects } = owner.client;
  const top = await create();
  const below = await create({ parentId: top.id });
  const deep = await create({ parentId: below.id });
  expect(ids(await Groups.allSubgroups(top.id))).toEqual([below.id]);
  expect(ids(await Groups.allDescendantGroups(top.id, {})).sort()).toEqual([below.id, deep.id].sort());
  const project = await Projects.create({ name: 'deep', namespaceId: deep.id });
  const shared = await Projects.create({ name: uniqueName('shared') });
  await Projects.share(shared.id, top.id, 20);
  expect(ids(await Groups.allProjects(top.id))).toEqual([shared.id]);
  expect(ids(await Groups.allProjects(top.id, { includeSubgroups: true, withShared: false }))).toEqual([project.id]);
  expect(ids(await Groups.allSharedProjects(top.id))).toEqual([shared.id]);
  expect(await Groups.show(top.id)).toMatchObject({ shared_projects: [{ id: shared.id }] });
});

it('are shared with groups, whose members get at most the given level', async () => {
  const group = await create();
  const team = await create();
  await owner.client.GroupMembers.add(team.id, 40, { userId: other.id });
  const { Groups } = owner.client;
  const shared = await Groups.share(group.id, team.id, 20, { expiresAt: '2099-01-01' });
  expect(shared.shared_with_groups).toMatchObject([{ group_id: team.id, group_access_level: 20 }]);
  expect((await other.client.Groups.show(group.id)).id).toBe(group.id);
  expect(await statusOf(other.client.Groups.edit(group.id, { name: 'x' }))).toBe(403);
  await Groups.unshare(group.id, team.id, undefined as never);
  await untilGatewaysKnow(
    'the end of the share',
    async () => (await statusOf(other.client.Groups.show(group.id))) === 404,
  );
});

it('move below others and back to the root, with redirects from their old paths', async () => {
  const { Groups, Projects } = owner.client;
  const [top, moving] = [await create(), await create()];
  const project = await Projects.create({ name: 'inside', namespaceId: moving.id });
  expect(ids(await Groups.allTransferLocations(moving.id))).toContain(top.id);
  expect(ids(await Groups.allTransferLocations(moving.id, { search: top.path }))).toEqual([top.id]);
  await Groups.transfer(moving.id, { groupId: top.id });
  expect(await Groups.show(moving.id)).toMatchObject({ parent_id: top.id, full_path: `${top.path}/${moving.path}` });
  expect(await Groups.allTransferLocations(moving.id, { search: top.path })).toEqual([]);
  expect((await Projects.show(`${moving.path}/inside`)).path_with_namespace).toBe(`${top.path}/${moving.path}/inside`);
  await Groups.transfer(moving.id);
  expect(await Groups.show(moving.id)).toMatchObject({ parent_id: null });
  await Groups.transferProject(top.id, project.id);
  expect((await Projects.show(project.id)).path_with_namespace).toBe(`${top.path}/inside`);
});

it('have an avatar', async () => {
  const { Groups } = owner.client;
  const group = await create({ avatar: { content: image(), filename: 'one.png' } });
  expect(String(group.avatar_url)).toContain('one.png');
  const bytes = (await Groups.downloadAvatar(group.id)) as unknown as Blob;
  expect(Buffer.from(await bytes.arrayBuffer())).toEqual(png);
  await Groups.uploadAvatar(group.id, image(), { filename: 'two.png' });
  expect(String((await Groups.show(group.id)).avatar_url)).toContain('two.png');
  // This client sends a change with an image by POST.
  const edited = await Groups.edit(group.id, {
    description: 'seen',
    avatar: { content: image(), filename: 'three.png' },
  });
  expect(edited).toMatchObject({ description: 'seen', avatar_url: expect.stringContaining('three.png') });
  await Groups.removeAvatar(group.id);
  expect((await Groups.show(group.id)).avatar_url).toBeNull();
  expect((await ask(`/api/v4/groups/${group.id}/avatar`, { token: owner.token })).status).toBe(404);
});

it('are namespaces, as users are', async () => {
  const group = await create();
  const { Namespaces } = owner.client;
  const mine = await Namespaces.all();
  expect(mine).toContainEqual(expect.objectContaining({ id: group.id, kind: 'group' }));
  expect(mine).toContainEqual(expect.objectContaining({ kind: 'user', path: owner.username }));
  expect(await Namespaces.show(group.path)).toMatchObject({ id: group.id, members_count_with_descendants: 1 });
  expect(await statusOf(other.client.Namespaces.show(group.id))).toBe(404);
  expect(await Namespaces.exists(group.path)).toEqual({ exists: true, suggests: [`${group.path}1`] });
  expect(await Namespaces.exists(uniqueName('free'))).toEqual({ exists: false, suggests: [] });
  expect(await root.Namespaces.all({ search: group.path })).toMatchObject([{ id: group.id }]);
});
