import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { statusOf } from './status-of';

/* Projects by every method of @gitbeaker/rest's Projects that the API has. */

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const image = (filename: string) => ({ content: new Blob([new Uint8Array(png)], { type: 'image/png' }), filename });

type User = Awaited<ReturnType<typeof newUser>>;
let owner: User;
let other: User;
beforeAll(async () => {
  [owner, other] = await Promise.all([newUser('owner'), newUser('other')]);
});

const create = (over: object = {}) => owner.client.Projects.create({ name: uniqueName('project'), ...over });
const newGroup = () => {
  const path = uniqueName('group');
  return owner.client.Groups.create(path, path);
};
const ids = (found: { id: number }[]) => found.map(({ id }) => id);

it('are created, read, changed and deleted', async () => {
  const { Projects } = owner.client;
  const project = await create({ description: 'ours', visibility: 'internal', wikiAccessLevel: 'disabled' });
  expect(project).toMatchObject({
    description: 'ours',
    visibility: 'internal',
    wiki_access_level: 'disabled',
    owner: { id: owner.id },
    empty_repo: true,
    default_branch: null,
    open_issues_count: 0,
  });
  expect(await Projects.edit(project.id, { name: 'Renamed', topics: ['a', 'b'] })).toMatchObject({
    name: 'Renamed',
    topics: ['a', 'b'],
  });
  expect((await other.client.Projects.show(project.id)).id).toBe(project.id);
  expect(await statusOf(other.client.Projects.edit(project.id, { name: 'x' }))).toBe(403);
  expect(await statusOf(Projects.create({ name: project.path }))).toBe(400);
  expect((await root.Projects.create({ userId: other.id, name: 'given' })).owner.id).toBe(other.id);
  expect(await Projects.remove(project.id)).toMatchObject({ message: '202 Accepted' });
  expect(await statusOf(Projects.show(project.id))).toBe(404);
});

it('are listed with the filters that clients send', async () => {
  const stem = uniqueName('list');
  const { Projects } = owner.client;
  const [one, two] = [
    await Projects.create({ name: `${stem}-b`, visibility: 'public' }),
    await Projects.create({ name: `${stem}-a`, issuesAccessLevel: 'disabled', topics: ['red'] }),
  ];
  const find = async (options: object) => ids((await Projects.all({ search: stem, ...options })) as { id: number }[]);
  expect(await find({ orderBy: 'name', sort: 'asc' })).toEqual([two.id, one.id]);
  expect(await find({ visibility: 'public' })).toEqual([one.id]);
  expect(await find({ topic: 'red' })).toEqual([two.id]);
  expect(await find({ withIssuesEnabled: true })).toEqual([one.id]);
  expect(await find({ owned: true, orderBy: 'id', sort: 'asc' })).toEqual([one.id, two.id]);
  expect(await find({ pagination: 'keyset', orderBy: 'id', sort: 'asc', perPage: 1 })).toEqual([one.id, two.id]);
  expect(ids(await Projects.search(stem))).toHaveLength(2);
  expect(
    ids((await other.client.Projects.all({ userId: String(owner.id), search: stem })) as { id: number }[]),
  ).toEqual([one.id]);
});

it('are starred, and their stars counted', async () => {
  const project = await create({ visibility: 'public' });
  expect((await other.client.Projects.star(project.id)).star_count).toBe(1);
  expect(await owner.client.Projects.allStarrers(project.id)).toMatchObject([{ user: { id: other.id } }]);
  // The client's types lack starredOnly, but its code has it.
  const byOther: object = { userId: other.id, starredOnly: true };
  expect(ids((await owner.client.Projects.all(byOther)) as { id: number }[])).toEqual([project.id]);
  expect((await other.client.Projects.unstar(project.id)).star_count).toBe(0);
  expect(await owner.client.Projects.all(byOther)).toEqual([]);
});

it('are archived, and accept changes again afterwards', async () => {
  const { Projects } = owner.client;
  const { id } = await create({ initializeWithReadme: true });
  expect((await Projects.archive(id)).archived).toBe(true);
  expect(await statusOf(owner.client.Issues.create(id, 'late'))).toBe(403);
  expect((await Projects.unarchive(id)).archived).toBe(false);
  expect((await owner.client.Issues.create(id, 'in time')).title).toBe('in time');
});

it('are forked, and the fork relation is created and deleted', async () => {
  const original = await create({ visibility: 'public', initializeWithReadme: true });
  const { Projects } = other.client;
  const fork = await Projects.fork(original.id, { name: 'Forked', path: uniqueName('forked') });
  expect(fork).toMatchObject({ name: 'Forked', forked_from_project: { id: original.id } });
  expect((await other.client.Branches.all(fork.id)).map(({ name }) => name)).toEqual(['main']);
  expect(ids(await owner.client.Projects.allForks(original.id))).toEqual(
    fork.visibility === 'private' ? [] : [fork.id],
  );
  expect((await owner.client.Projects.show(original.id)).forks_count).toBe(1);
  await Projects.removeForkRelationship(fork.id);
  expect((await Projects.show(fork.id)).forked_from_project).toBeUndefined();
  await root.Projects.createForkRelationship(fork.id, original.id);
  expect(await Projects.show(fork.id)).toMatchObject({ forked_from_project: { id: original.id } });
});

it('are shared with groups, which are listed around them', async () => {
  const { Projects } = owner.client;
  const [home, team] = [await newGroup(), await newGroup()];
  await owner.client.GroupMembers.add(team.id, 40, { userId: other.id });
  const project = await create({ namespaceId: home.id });
  expect(ids(await Projects.allGroups(project.id))).toEqual([home.id]);
  expect(ids(await Projects.allSharableGroups(project.id, { search: team.path }))).toEqual([team.id]);
  await Projects.share(project.id, team.id, 30);
  expect((await other.client.Projects.show(project.id)).permissions).toBeDefined();
  expect(ids(await Projects.allInvitedGroups(project.id))).toEqual([team.id]);
  const around = await Projects.allGroups(project.id, { withShared: true });
  expect(ids(around).sort()).toEqual([home.id, team.id].sort());
  expect(around).toContainEqual(expect.objectContaining({ full_path: home.path, web_url: home.web_url }));
  expect(await Projects.allSharableGroups(project.id, { search: team.path })).toEqual([]);
  const users = await Projects.allUsers(project.id, { search: other.username });
  expect(ids(users)).toEqual([other.id]);
  await Projects.unshare(project.id, team.id);
  expect(await statusOf(other.client.Projects.show(project.id))).toBe(404);
});

it('move to groups in which their owner creates projects, and redirect from where they were', async () => {
  const { Projects } = owner.client;
  const [mine, foreign] = [
    await newGroup(),
    (await other.client.Groups.create('x', uniqueName('foreign'))) as { id: number },
  ];
  const project = await create();
  const places = ids(await Projects.allTransferLocations(project.id));
  expect(places).toContain(mine.id);
  expect(places).not.toContain(foreign.id);
  const moved = await Projects.transfer(project.id, mine.id);
  expect(moved.path_with_namespace).toBe(`${mine.path}/${project.path}`);
  expect((await Projects.show(project.path_with_namespace)).id).toBe(project.id);
  expect(await statusOf(Projects.transfer(project.id, foreign.id))).not.toBe(0);
});

it('have languages, statistics and the number of open issues', async () => {
  const { Projects, RepositoryFiles, Issues } = owner.client;
  const { id } = await create({ initializeWithReadme: true, visibility: 'public' });
  await RepositoryFiles.create(id, 'a.rb', 'main', 'puts 1\n', 'ruby');
  expect(await Projects.showLanguages(id)).toEqual({ Ruby: 100 });
  expect((await Projects.show(id, { statistics: true })).statistics).toMatchObject({ commit_count: 2 });
  const issues = [await Issues.create(id, 'one'), await Issues.create(id, 'two', { confidential: true })];
  const open = async (user: User) => Number((await user.client.Projects.show(id)).open_issues_count);
  await until('two open issues', async () => (await open(owner)) === 2);
  expect(await open(other)).toBe(1);
  const listed = (await owner.client.Projects.all({ userId: String(owner.id), perPage: 1 })) as {
    open_issues_count: number;
  }[];
  expect(listed[0]?.open_issues_count).toBe(2);
  await Issues.edit(id, issues[0]!.iid, { stateEvent: 'close' });
  await until('one open issue', async () => (await open(owner)) === 1);
  await Issues.remove(id, issues[1]!.iid);
  await until('no open issue', async () => (await open(owner)) === 0);
});

it('have avatars and uploads', async () => {
  const { Projects } = owner.client;
  const project = await create({ avatar: image('one.png'), visibility: 'public' });
  expect(String(project.avatar_url)).toContain('one.png');
  expect(String((await Projects.uploadAvatar(project.id, image('two.png'))).avatar_url)).toContain('two.png');
  expect((await fetch(String((await Projects.show(project.id)).avatar_url))).headers.get('content-type')).toBe(
    'image/png',
  );
  expect(((await Projects.removeAvatar(project.id)) as unknown as { avatar_url: null }).avatar_url).toBeNull();
  const file = { content: new Blob(['a text']), filename: 'notes.txt' };
  const upload = await Projects.uploadForReference(project.id, file);
  expect(upload).toMatchObject({ alt: 'notes.txt', markdown: `[notes.txt](${upload.url})` });
});

it('are cleaned up, and moved to another storage, by callers with the right', async () => {
  const { Projects } = owner.client;
  const { id } = await create({ initializeWithReadme: true });
  await Projects.housekeeping(id);
  expect(await statusOf(other.client.Projects.housekeeping(id))).toBe(404);
  const place = await root.Projects.allStoragePaths(id);
  expect(place).toMatchObject({ project_id: id, repository_storage: 'default' });
  expect((place as unknown as { disk_path: string }).disk_path).toMatch(/^@hashed\/..\/..\/[0-9a-f]{64}$/);
  expect(await statusOf(Projects.allStoragePaths(id))).toBe(403);
  expect(await statusOf(root.Projects.edit(id, { repositoryStorage: 'nowhere' }))).toBe(400);
  await root.Projects.edit(id, { repositoryStorage: 'second', description: 'moved' });
  const storage = async () => (await root.Projects.show(id)) as unknown as { repository_storage: string };
  await until('the move', async () => (await storage()).repository_storage === 'second');
  expect((await owner.client.RepositoryFiles.show(id, 'README.md', 'main')).file_name).toBe('README.md');
  expect((await root.Projects.show(id)).description).toBe('moved');
});
