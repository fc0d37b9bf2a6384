import { createHash } from 'node:crypto';
import { PageVisitor } from '../identity/page-visitor';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';

/* Forms that write snippets, personal ones and those of projects. */

const evil = `</textarea><script>alert(1)</script>`;
const escaped = '&lt;/textarea>&lt;script>alert(1)&lt;/script>';
const visitor = new PageVisitor();
let writer: Awaited<ReturnType<typeof newUser>>;
let base: string;

beforeAll(async () => {
  writer = await newUser('writer');
  await visitor.signIn(writer.username, writer.password);
  const name = uniqueName('snippet-forms');
  const project = await root.Projects.create({ name, path: name, visibility: 'public' });
  await root.ProjectMembers.add(project.id, 20, { userId: writer.id });
  base = `/${project.path_with_namespace}`;
});

type Fields = Record<string, string>;

interface Stored {
  id: number;
  title: string;
  description: string | null;
  visibility: string;
  web_url: string;
  files: { path: string; raw_url: string }[];
}

const idOf = (address: string) => Number(/snippets\/(\d+)/.exec(address)![1]);
const snippetAt = async (address: string) =>
  (await askJson('GET', `/snippets/${idOf(address)}`, { token: connection.token })).body as unknown as Stored;
/** Names and contents of the files. */
async function filesAt(address: string): Promise<[name: string, content: string][]> {
  const { id, files } = await snippetAt(address);
  const headers = { 'private-token': connection.token };
  const contentOf = async (path: string) => {
    const at = `/api/v4/snippets/${id}/files/main/${encodeURIComponent(path)}/raw`;
    return (await fetch(connection.url + at, { headers })).text();
  };
  return Promise.all(files.map(async ({ path }) => [path, await contentOf(path)]));
}

describe.each([
  ['of a user', () => ''],
  ['of a project', () => base],
])('a snippet %s', (_, parent) => {
  const at = (below: string) => `${parent()}/-/snippets${below}`;
  const attributes = (over: Fields = {}) => ({ title: 'Title', description: '', visibility: 'public', ...over });
  const create = async (fields: Fields) => visitor.submit(await visitor.load(at('/new')), fields, 'new-snippet');
  const formOf = (address: string) => visitor.load(`${address}/edit`);
  const newOne = async (files: Fields) => (await create(attributes(files))).url;
  const send = (form: Response, fields: Fields) => visitor.submit(form, attributes(fields), 'snippet');

  it('is created with several files', async () => {
    expect(await (await visitor.load(at(''))).text()).toContain(`<a href="${at('/new')}">New snippet</a>`);
    const files = { name_1: 'a.txt', content_1: '\r\nfirst\r\n', name_3: 'dir/b.txt', content_3: 'second' };
    const created = await create(attributes({ title: 'My files', description: 'Some **words**', ...files }));
    const text = await created.text();
    expect(text).toContain('Some <strong>words</strong>');
    expect(text).toMatch(/<a href="[^"]*\/edit">Edit<\/a>/);
    expect(created.url).toMatch(new RegExp(`${at('/')}\\d+$`));
    expect(await snippetAt(created.url)).toMatchObject({
      ...{ title: 'My files', description: 'Some **words**', visibility: 'public' },
    });
    expect(await filesAt(created.url)).toEqual([
      ['a.txt', '\nfirst\n'],
      ['dir/b.txt', 'second'],
    ]);
  });

  it('that is refused is shown again as it was typed', async () => {
    const typed = { title: `Title ${evil}`, description: evil, name_1: '../a', content_1: evil, name_4: 'b' };
    const form = await create(attributes(typed));
    const text = await form.clone().text();
    expect([form.status, text]).toEqual([
      422,
      expect.stringMatching(/role="alert">Content of file 4 can't be blank\.</),
    ]);
    expect(text.split(`>${escaped}</textarea>`)).toHaveLength(3);
    expect(text).toContain(`value="Title ${escaped}"`);
    expect(text).toContain('value="../a"');
    // The section of the fourth file is open.
    expect(text.match(/<details open>/g)).toHaveLength(3);
    expect(text).not.toContain('<script');
    const refused = await visitor.submit(form, attributes({ ...typed, content_4: 'B' }), 'new-snippet');
    expect([refused.status, await refused.clone().text()]).toEqual([
      422,
      expect.stringMatching(/role="alert">Invalid file name: \.\.\/a\./),
    ]);
    const taken = await visitor.submit(refused, attributes({ ...typed, name_1: 'a', content_4: 'B' }), 'new-snippet');
    expect([taken.status, await filesAt(taken.url)]).toEqual([
      200,
      [
        ['a', evil],
        ['b', 'B'],
      ],
    ]);
    expect(await taken.text()).not.toContain('<script');
    expect(await (await formOf(taken.url)).text()).not.toContain('<script');
  });

  it('without files is refused', async () => {
    const form = await create(attributes());
    expect([form.status, await form.text()]).toEqual([
      422,
      expect.stringMatching(/Name of file 1 can't be blank\. Content of file 1/),
    ]);
  });

  it('gets files, loses files, and files exchange their names', async () => {
    const address = await newOne({
      ...{ name_1: 'a', content_1: 'A' },
      ...{ name_2: 'b', content_2: 'B' },
      ...{ name_3: 'c', content_3: 'C' },
    });
    const saved = await send(await formOf(address), {
      ...{ title: 'New title', description: 'New', visibility: 'internal' },
      ...{ name_1: 'b', content_1: 'A', name_2: 'a', content_2: 'B2', name_3: 'c', content_3: 'C', remove_3: '1' },
      ...{ name_4: 'c', content_4: 'New C' },
    });
    expect([saved.status, saved.url]).toEqual([200, address]);
    expect(await snippetAt(address)).toMatchObject({ title: 'New title', description: 'New', visibility: 'internal' });
    expect(await filesAt(address)).toEqual([
      ['b', 'A'],
      ['a', 'B2'],
      ['c', 'New C'],
    ]);
  });

  it('has at least one file', async () => {
    const address = await newOne({ name_1: 'a', content_1: 'A' });
    const refused = await send(await formOf(address), { name_1: 'a', content_1: 'A', remove_1: '1' });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringMatching(/A snippet needs a file\..*name="remove_1" value="1" checked/s),
    ]);
  });

  it('keeps what two users change at the same time, or refuses the second one', async () => {
    const files = { name_1: 'a', content_1: 'A', name_2: 'b', content_2: 'B' };
    const address = await newOne(files);
    const [one, two, three] = [await formOf(address), await formOf(address), await formOf(address)];
    await send(one, { ...files, content_1: 'A1' });
    expect((await send(two, { ...files, content_2: 'B2' })).status).toBe(200);
    const current = [
      ['a', 'A1'],
      ['b', 'B2'],
    ];
    expect(await filesAt(address)).toEqual(current);
    const refused = await send(three, { ...files, content_1: 'A3' });
    expect([refused.status, await refused.clone().text()]).toEqual([
      422,
      expect.stringMatching(/Content of file 1 was changed by somebody else meanwhile.*>A3<\/textarea>/s),
    ]);
    expect(await filesAt(address)).toEqual(current);
    await send(refused, { ...files, content_1: 'A3', content_2: 'B2' });
    expect(await filesAt(address)).toEqual([
      ['a', 'A3'],
      ['b', 'B2'],
    ]);
  });

  it('gets a file back that somebody else removed while its text was typed', async () => {
    const files = { name_1: 'a', content_1: 'A', name_2: 'b', content_2: 'B' };
    const address = await newOne(files);
    const [one, two] = [await formOf(address), await formOf(address)];
    await send(one, { ...files, remove_1: '1' });
    const refused = await send(two, { ...files, content_1: 'A2' });
    expect([refused.status, await refused.clone().text()]).toEqual([
      422,
      expect.stringMatching(/>A2<\/textarea>.*>B<\/textarea>/s),
    ]);
    await send(refused, { ...files, content_1: 'A2' });
    expect(await filesAt(address)).toEqual([
      ['b', 'B'],
      ['a', 'A2'],
    ]);
  });

  it('keeps contents that a form would damage, and line ends', async () => {
    const created = await (parent() ? inProject : personal)({
      ...{ large: 'x'.repeat(300_000), 'aä.bin': 'a\rb', 'run.bat': 'one\r\ntwo\r\n', other: 'x' },
    });
    const form = await formOf(created);
    const text = await form.clone().text();
    expect([...text.matchAll(/The content of <bdi>([^<]*)<\/bdi>/g)].map(([, name]) => name)).toEqual([
      'large',
      'aä.bin',
    ]);
    const saved = await send(form, {
      ...{ name_1: 'large.txt', name_2: 'aä.bin', name_3: 'run.bat', content_3: 'one\r\nthree\r\n' },
      ...{ name_4: 'other', content_4: 'x' },
    });
    expect(saved.status).toBe(200);
    expect(await filesAt(created)).toEqual([
      ['large.txt', 'x'.repeat(300_000)],
      ['aä.bin', 'a\rb'],
      ['run.bat', 'one\r\nthree\r\n'],
      ['other', 'x'],
    ]);
  });

  it('is deleted after a confirmation', async () => {
    const address = await newOne({ name_1: 'a', content_1: 'A' });
    const form = await formOf(address);
    expect(await form.clone().text()).toMatch(/<details><summary[^>]*>Delete…<\/summary>.*>Delete snippet<\/button>/);
    const next = await visitor.submit(form, {}, 'delete');
    expect([next.status, next.url]).toEqual([200, connection.url + at('')]);
    expect((await visitor.load(address)).status).toBe(404);
  });

  it('of somebody else has no form', async () => {
    const address = await newOne({ name_1: 'a', content_1: 'A' });
    const other = await newUser('other');
    const reader = new PageVisitor();
    await reader.signIn(other.username, other.password);
    for (const one of [reader, new PageVisitor()]) {
      expect(await (await one.load(address)).text()).not.toContain('/edit"');
      expect((await one.load(`${address}/edit`)).status).toBe(404);
    }
    const csrf = /name="csrf" value="([^"]*)"/.exec(await (await reader.load(address)).text())![1]!;
    for (const form of ['snippet', 'delete']) {
      const was = JSON.stringify({ title: createHash('sha256').update('Title').digest('base64url') });
      const sent = await reader.send(`${address}/edit`, new URLSearchParams({ csrf, form, was, title: 'Mine' }));
      expect([form, sent.status]).toEqual([form, 422]);
    }
    expect(await snippetAt(address)).toMatchObject({ title: 'Title' });
  });
});

const optionsOf = (files: Fields) => ({
  visibility: 'public' as const,
  files: Object.entries(files).map(([filePath, content]) => ({ filePath, content })),
});
const personal = async (files: Fields) => (await writer.client.Snippets.create('Title', optionsOf(files))).web_url;
const inProject = async (files: Fields) =>
  (await writer.client.ProjectSnippets.create(base.slice(1), 'Title', optionsOf(files))).web_url;

it('personal snippets are created by users who are not external', async () => {
  expect((await new PageVisitor().load('/-/snippets/new')).status).toBe(404);
  const external = await newUser('external');
  await root.Users.edit(external.id, { external: true });
  const guest = new PageVisitor();
  await guest.signIn(external.username, external.password);
  expect((await guest.load('/-/snippets/new')).status).toBe(404);
  expect(await (await guest.load('/-/snippets')).text()).not.toContain('/new"');
});

it('administrators change and delete personal snippets', async () => {
  const address = await personal({ a: 'A' });
  const administrator = new PageVisitor();
  await administrator.signIn(connection.username, connection.password);
  const form = await administrator.load(`${address}/edit`);
  const fields = { title: 'By an administrator', description: '', visibility: 'public', name_1: 'a', content_1: 'A' };
  expect((await administrator.submit(form, fields, 'snippet')).status).toBe(200);
  expect(await snippetAt(address)).toMatchObject({ title: 'By an administrator' });
  await administrator.submit(await administrator.load(`${address}/edit`), {}, 'delete');
  expect((await visitor.load(address)).status).toBe(404);
});

it('a form is only at the address of its snippet', async () => {
  const [own, ours] = [idOf(await personal({ a: 'A' })), idOf(await inProject({ a: 'A' }))];
  for (const address of [`/-/snippets/${ours}/edit`, `${base}/-/snippets/${own}/edit`, '/-/snippets/x/edit'])
    expect([address, (await visitor.load(address)).status]).toEqual([address, 404]);
});
