import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';

/* Forms that change and delete notes of issues, merge requests and snippets. */

const evil = '</textarea><script>alert(1)</script>';
const visitor = new PageVisitor();
let author: Awaited<ReturnType<typeof newUser>>;
let id: number;
let base: string;
let snippet: number;

beforeAll(async () => {
  author = await newUser('author');
  await visitor.signIn(author.username, author.password);
  const path = uniqueName('notes');
  const project = await root.Projects.create({ path, name: path, visibility: 'public', initializeWithReadme: true });
  [id, base] = [project.id, `/${project.path_with_namespace}`];
  await root.Issues.create(id, 'An issue');
  await root.Branches.create(id, 'topic', 'main');
  await root.RepositoryFiles.create(id, 'a.txt', 'topic', 'one\n', 'add a.txt');
  await root.MergeRequests.create(id, 'topic', 'main', 'A change');
  const files = [{ content: 'A file', filePath: 'a.txt' }];
  snippet = (await root.ProjectSnippets.create(id, 'A snippet', { visibility: 'public', files })).id;
});

const kinds = {
  issue: { at: () => 'issues/1', of: () => 1, notes: (client: typeof root) => client.IssueNotes },
  'merge request': {
    at: () => 'merge_requests/1',
    of: () => 1,
    notes: (client: typeof root) => client.MergeRequestNotes,
  },
  snippet: {
    at: () => `snippets/${snippet}`,
    of: () => snippet,
    notes: (client: typeof root) => client.ProjectSnippetNotes,
  },
};

describe.each(Object.entries(kinds))('a note on a %s', (_, { at, of, notes }) => {
  const write = (body: string, client = author.client) => notes(client).create(id, of(), body);
  const show = (note: number) => notes(root).show(id, of(), note);
  const editOf = (note: number) => `${base}/-/${at()}/notes/${note}/edit`;

  it('is changed by its author, and the page shows it', async () => {
    const note = await write('First');
    const shown = await (await visitor.load(`${base}/-/${at()}`)).text();
    expect(shown).toContain(`href="${editOf(note.id)}"`);
    const body = `${evil}\r\n\r\nMore`;
    const saved = await visitor.change(await visitor.load(editOf(note.id)), { body }, 'note');
    expect([saved.status, new URL(saved.url).pathname]).toEqual([200, `${base}/-/${at()}`]);
    expect(await show(note.id)).toMatchObject({ body: `${evil}\n\nMore` });
    for (const page of [await saved.text(), await (await visitor.load(editOf(note.id))).text()])
      expect(page).not.toContain('<script');
  });

  it('is not emptied, and not overwritten after somebody else changed it', async () => {
    const note = await write('First');
    const [one, two] = [await visitor.load(editOf(note.id)), await visitor.load(editOf(note.id))];
    const empty = await visitor.change(one, { body: ' ' }, 'note');
    expect([empty.status, await empty.text()]).toEqual([422, expect.stringContaining('Comment is empty.')]);
    await notes(root).edit(id, of(), note.id, { body: 'Second' });
    const refused = await visitor.change(two, { body: 'Third' }, 'note');
    expect([refused.status, await show(note.id)]).toEqual([422, expect.objectContaining({ body: 'Second' })]);
    expect(await refused.clone().text()).toMatch(/Comment was changed by somebody else meanwhile.*>Third<\/textarea>/s);
    await visitor.change(refused, {}, 'note');
    expect(await show(note.id)).toMatchObject({ body: 'Third' });
  });

  it('is deleted at a second step', async () => {
    const note = await write('First');
    const page = await visitor.load(editOf(note.id));
    const gone = await visitor.submit(page.clone(), {}, 'delete');
    expect([gone.status, new URL(gone.url).pathname]).toEqual([200, `${base}/-/${at()}`]);
    await expect(show(note.id)).rejects.toThrow();
    expect((await visitor.load(editOf(note.id))).status).toBe(404);
  });

  it('of somebody else is not changed, except by maintainers', async () => {
    const note = await write('First', root);
    expect((await visitor.load(editOf(note.id))).status).toBe(404);
    expect(await (await visitor.load(`${base}/-/${at()}`)).text()).not.toContain(`href="${editOf(note.id)}"`);
    const maintainer = await newUser('maintainer');
    await root.ProjectMembers.add(id, 40, { userId: maintainer.id });
    const own = new PageVisitor();
    await own.signIn(maintainer.username, maintainer.password);
    await own.change(await own.load(editOf(note.id)), { body: 'Second' }, 'note');
    expect(await show(note.id)).toMatchObject({ body: 'Second' });
  });
});

it('a note with characters that a browser changes is only deleted', async () => {
  const note = await author.client.IssueNotes.create(id, 1, 'one\rtwo');
  const page = await visitor.load(`${base}/-/issues/1/notes/${note.id}/edit`);
  expect(await page.clone().text()).not.toContain('<textarea');
  await visitor.submit(page, {}, 'delete');
  await expect(root.IssueNotes.show(id, 1, note.id)).rejects.toThrow();
});

it('a note of the second page of a discussion leads back to it', async () => {
  const issue = await root.Issues.create(id, 'A long discussion');
  for (let at = 0; at < 21; at += 1) await author.client.IssueNotes.create(id, issue.iid, `Note ${at}`);
  const page = await (await visitor.load(`${base}/-/issues/${issue.iid}?page=2`)).text();
  const edit = /href="([^"]*\/notes\/\d+\/edit\?page=2)"/.exec(page)![1]!;
  const saved = await visitor.change(await visitor.load(edit), { body: 'Changed' }, 'note');
  expect(new URL(saved.url).search).toBe('?page=2');
  expect(await saved.text()).toContain('Changed');
});

it.each(['issues/1/notes/0/edit', 'issues/1/notes/x/edit', 'issues/99/notes/1/edit', 'issues/1/notes/999999/edit'])(
  '%s is not found',
  async (below) => {
    expect((await visitor.load(`${base}/-/${below}`)).status).toBe(404);
  },
);
