import { ask, connection, newUser, root, uniqueName } from '../server/connection';
import { newWorld, type World } from './world';

/* Search by v4 clients: one path with a scope; the service with the records answers each scope. */

let world: World;
let outsider: Awaited<ReturnType<typeof newUser>>;
let secretId: number;
const word = uniqueName('quark').replaceAll('-', '');

const get = async (path: string, token = world.member.token) => {
  const response = await ask(`/api/v4${path}`, { token });
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown[] };
};

beforeAll(async () => {
  world = await newWorld();
  outsider = await newUser('outsider');
  const { projectId, member } = world;
  await root.Projects.edit(projectId, { description: `About ${word}` });
  const { Issues, MergeRequests, Commits, ProjectMilestones, IssueNotes, ProjectWikis, Snippets } = member.client;
  const issue = await Issues.create(projectId, `Issue ${word}`);
  await Issues.create(projectId, `Secret ${word}`, { confidential: true });
  await IssueNotes.create(projectId, issue.iid, `A word: ${word}`);
  await ProjectMilestones.create(projectId, `Milestone ${word}`);
  await Snippets.create(`Snippet ${word}`, {
    visibility: 'internal',
    files: [{ content: 'x', filePath: 'a' }],
  });
  await ProjectWikis.create(projectId, `on ${word} and others`, 'Home');
  const code = [
    { action: 'create' as const, filePath: 'src/code.ts', content: `// one\nconst ${word} = 1;\n// three\n` },
  ];
  await Commits.create(projectId, 'topic', `Commit ${word}`, code, { startBranch: 'main' });
  await MergeRequests.create(projectId, 'topic', 'main', `Merge ${word}`);
  await Commits.create(projectId, 'main', `Second commit ${word}`, code);
  const hidden = await root.Projects.create({ name: uniqueName('hidden'), visibility: 'private' });
  secretId = hidden.id;
  await root.Commits.create(secretId, 'main', `Hidden ${word}`, code);
  await root.Issues.create(secretId, `Hidden ${word}`);
});

/** The client has types for each scope; here they come from tables. */
const found = async (client: typeof root, scope: string, options: object = {}, text = word) =>
  (await client.Search.all(scope as 'projects', text, options)) as unknown as Record<string, unknown>[];

describe('@gitbeaker/rest', () => {
  it.each([
    ['projects', [{ description: expect.stringContaining('About') }]],
    ['issues', [{ title: expect.stringMatching(/^Secret/) }, { title: expect.stringMatching(/^Issue/) }]],
    ['merge_requests', [{ title: expect.stringMatching(/^Merge/), source_branch: 'topic' }]],
    ['milestones', [{ title: expect.stringMatching(/^Milestone/) }]],
    ['snippet_titles', [{ title: expect.stringMatching(/^Snippet/) }]],
    ['blobs', [{ path: 'src/code.ts', basename: 'src/code', startline: 1, id: null, ref: 'main' }]],
    ['commits', [{ title: expect.stringMatching(/^Second/) }]],
    ['wiki_blobs', [{ path: 'Home.md', data: expect.stringContaining('and others') }]],
  ])('finds %s of the instance', async (scope, expected) => {
    const { client } = world.member;
    expect(await found(client, scope)).toMatchObject(expected);
  });

  it.each(['projects', 'issues', 'merge_requests', 'milestones', 'blobs', 'commits', 'wiki_blobs'])(
    'finds %s of a group',
    async (scope) => {
      expect((await found(world.member.client, scope, { groupId: world.groupId })).length).toBeGreaterThan(0);
    },
  );

  it.each(['issues', 'merge_requests', 'milestones', 'notes', 'blobs', 'commits', 'wiki_blobs'])(
    'finds %s of a project',
    async (scope) => {
      const items = await found(world.member.client, scope, { projectId: world.projectId });
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) expect(item).toMatchObject({ project_id: world.projectId });
    },
  );

  it('finds users everywhere, and members of a group and of a project', async () => {
    const { client, user, id } = { ...world.member, user: await root.Users.show(world.member.id) };
    const username = String(user.username);
    expect(await found(client, 'users', {}, username)).toMatchObject([{ id }]);
    expect(await found(client, 'users', { projectId: world.projectId }, username)).toMatchObject([{ id }]);
    expect(await found(client, 'users', { groupId: world.groupId }, username)).toEqual([]);
  });
});

it('returns nothing that the caller may not read', async () => {
  const { client } = outsider;
  expect(await found(client, 'issues')).toMatchObject([{ title: expect.stringMatching(/^Issue/) }]);
  for (const scope of ['blobs', 'commits'])
    for (const item of await found(client, scope)) expect(item).toMatchObject({ project_id: world.projectId });
  expect((await get(`/projects/${secretId}/search?scope=blobs&search=${word}`, outsider.token)).status).toBe(404);
  expect(await found(root, 'issues')).toHaveLength(3);
});

it('is answered below /-/ and with .json as well, in pages with a total', async () => {
  const path = `/projects/${world.projectId}`;
  const query = `scope=issues&search=${word}&per_page=1`;
  for (const search of ['search', '-/search', 'search.json']) {
    const { status, headers, body } = await get(`${path}/${search}?${query}`);
    expect([status, headers.get('x-total'), headers.get('x-next-page'), body.length]).toEqual([200, '2', '2', 1]);
  }
  expect((await get(`/groups/${world.groupId}/-/search?${query}`)).status).toBe(200);
});

it.each([
  ['?search=x', 400, 'scope is missing'],
  ['?scope=&search=x', 400, 'scope does not have a valid value'],
  ['?scope=everything&search=x', 400, 'scope does not have a valid value'],
  ['?scope[]=issues&search=x', 400, 'scope does not have a valid value'],
  ['?scope=issues', 400, 'search is missing'],
  ['?scope=issues&search=', 400, 'search is empty'],
  ['?scope=issues&search=%20', 400, 'search is empty'],
  [`?scope=issues&search=${'x'.repeat(4097)}`, 400, 'search is too long (maximum is 4096)'],
  [`?scope=issues&search=${'x+'.repeat(65)}`, 400, 'search has too many words (maximum is 64)'],
  ['?scope=blobs&search=x', 400, 'search is too short (minimum is 2)'],
  ['?scope=issues&search=x&state=odd', 400, 'state does not have a valid value'],
  ['?scope=issues&search=x&order_by=title', 400, 'order_by does not have a valid value'],
  ['?scope=issues&search=x&fields=body', 400, 'fields does not have a valid value'],
])('refuses %s with %i and its reason', async (query, status, error) => {
  expect(await get(`/search${query}`)).toMatchObject({ status, body: { error } });
});

it('requires a signed-in user, and only GET', async () => {
  for (const path of ['/search', `/groups/${world.groupId}/search`, `/projects/${world.projectId}/search`]) {
    const response = await fetch(`${connection.url}/api/v4${path}?scope=issues&search=x`);
    expect([path, response.status]).toEqual([path, 401]);
    const posted = await ask(`/api/v4${path}?scope=issues&search=x`, { method: 'POST', token: world.member.token });
    expect([path, posted.status, posted.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    const head = await ask(`/api/v4${path}?scope=issues&search=x`, { method: 'HEAD', token: world.member.token });
    expect([path, head.status]).toEqual([path, 200]);
  }
});
