import { ask, connection, newUser, root, uniqueName } from '../server/connection';

/* Snippets by a v4 client. */

type User = Awaited<ReturnType<typeof newUser>>;

let author: User;
let other: User;

beforeAll(async () => {
  [author, other] = await Promise.all([newUser('author'), newUser('other')]);
});

const files = [
  { content: 'puts "ä"\n', filePath: 'a.rb' },
  { content: '# Read me\n', filePath: 'docs/README.md' },
];
const statusFor = async (path: string, token?: string) => (await ask(`/api/v4${path}`, { token })).status;

it('of a user are created, read, changed and deleted', async () => {
  const { Snippets } = author.client;
  const made = await Snippets.create('A snippet', { description: 'Prints', visibility: 'private', files });
  expect(made).toMatchObject({ title: 'A snippet', file_name: 'a.rb', visibility: 'private' });
  expect(await Snippets.show(made.id)).toMatchObject({ id: made.id, description: 'Prints', project_id: null });
  expect(await Snippets.showContent(made.id)).toBe('puts "ä"\n');
  expect(await Snippets.showRepositoryFileContent(made.id, 'main', 'docs/README.md')).toBe('# Read me\n');
  const raw = await ask(`/api/v4/snippets/${made.id}/raw`, { token: author.token });
  expect(raw.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const edited = await Snippets.edit(made.id, {
    visibility: 'public',
    files: [{ action: 'move', previousPath: 'a.rb', filePath: 'b.rb' }],
  });
  expect(edited).toMatchObject({ visibility: 'public', file_name: 'b.rb' });
  expect(await Snippets.all()).toMatchObject([{ id: made.id }]);
  expect(await other.client.Snippets.all({ public: true })).toContainEqual(expect.objectContaining({ id: made.id }));
  await Snippets.remove(made.id);
  expect(await statusFor(`/snippets/${made.id}`, author.token)).toBe(404);
});

it('are readable by their visibility level', async () => {
  const statuses = async (visibility: 'private' | 'internal' | 'public') => {
    const { id } = await author.client.Snippets.create('Seen', { visibility, files });
    const tokens = [author.token, connection.token, other.token, undefined];
    return Promise.all(tokens.map((token) => statusFor(`/snippets/${id}`, token)));
  };
  expect(await statuses('private')).toEqual([200, 200, 404, 404]);
  expect(await statuses('internal')).toEqual([200, 200, 200, 404]);
  expect(await statuses('public')).toEqual([200, 200, 200, 200]);
});

it('are refused with the words of the interface', async () => {
  const send = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', token: author.token, headers, body: JSON.stringify(body) };
    const response = await ask('/api/v4/snippets', init);
    return { status: response.status, ...((await response.json()) as object) };
  };
  const whole = { title: 'a', file_name: 'a', content: 'a' };
  expect(await send({ ...whole, title: undefined })).toEqual({ status: 400, error: 'title is missing' });
  expect(await send({ ...whole, content: '' })).toEqual({ status: 400, error: 'content is empty' });
  expect(await send({ title: 'a' })).toEqual({
    status: 400,
    error: 'files, content are missing, exactly one parameter must be provided',
  });
  expect(await send({ ...whole, visibility: 'secret' })).toEqual({
    status: 400,
    error: 'visibility does not have a valid value',
  });
  expect(await send({ ...whole, file_name: '../a' })).toEqual({
    status: 400,
    message: { error: 'Invalid file name: ../a' },
  });
});

it('show the user agent of their author to administrators only', async () => {
  const { id } = await author.client.Snippets.create('Made', { visibility: 'public', files });
  expect(await root.Snippets.showUserAgentDetails(id)).toMatchObject({
    user_agent: expect.any(String),
    ip_address: expect.stringMatching(/127\.0\.0\.1|::1/),
    akismet_submitted: false,
  });
  expect(await statusFor(`/snippets/${id}/user_agent_detail`, author.token)).toBe(403);
});

it('of a project are created, read, discussed, changed and deleted', async () => {
  const { id: projectId } = await root.Projects.create({ name: uniqueName('snippets') });
  await root.ProjectMembers.add(projectId, 20, { userId: author.id });
  const { ProjectSnippets, ProjectSnippetNotes } = author.client;
  const made = await ProjectSnippets.create(projectId, 'In a project', { visibility: 'private', files });
  expect(made).toMatchObject({ project_id: projectId, files: [{ path: 'a.rb' }, { path: 'docs/README.md' }] });
  expect(await ProjectSnippets.all(projectId)).toMatchObject([{ id: made.id }]);
  expect(await ProjectSnippets.show(projectId, made.id)).toMatchObject({ id: made.id, title: 'In a project' });
  expect(await ProjectSnippets.showContent(projectId, made.id)).toBe('puts "ä"\n');
  const readme = ProjectSnippets.showRepositoryFileContent(projectId, made.id, 'main', 'docs/README.md');
  expect(await readme).toBe('# Read me\n');
  const agent = await root.ProjectSnippets.showUserAgentDetails(projectId, made.id);
  expect(agent).toMatchObject({ user_agent: expect.any(String) });
  const note = await ProjectSnippetNotes.create(projectId, made.id, 'Why?');
  expect(await ProjectSnippetNotes.show(projectId, made.id, note.id)).toMatchObject({
    body: 'Why?',
    noteable_type: 'Snippet',
    title: 'In a project',
    file_name: 'a.rb',
  });
  expect(await ProjectSnippets.edit(projectId, made.id, { description: 'New' })).toMatchObject({
    description: 'New',
  });
  expect(await statusFor(`/projects/${projectId}/snippets/${made.id}`, other.token)).toBe(404);
  await ProjectSnippets.remove(projectId, made.id);
  expect(await ProjectSnippets.all(projectId)).toEqual([]);
});
