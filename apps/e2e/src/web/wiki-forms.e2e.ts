import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PageVisitor } from '../identity/page-visitor';
import { connection, newUser, root, uniqueName } from '../server/connection';
import { git, remoteUrl } from '../server/git';

/* Forms that write pages of wikis. */

const evil = `</textarea><script>alert(1)</script>`;
const escaped = '&lt;/textarea>&lt;script>alert(1)&lt;/script>';
const visitor = new PageVisitor();
let base: string;
let id: number;

const newProject = async () => {
  const name = uniqueName('wiki-forms');
  return root.Projects.create({ name, path: name, visibility: 'public' });
};

beforeAll(async () => {
  const writer = await newUser('writer');
  await visitor.signIn(writer.username, writer.password);
  const project = await newProject();
  base = `/${project.path_with_namespace}/-/wikis`;
  id = project.id;
  await root.ProjectMembers.add(id, 40, { userId: writer.id });
});

const open = (below: string) => visitor.load(`${base}${below}`);
const textOf = async (below: string) => (await open(below)).text();
const page = (slug: string) => root.ProjectWikis.show(id, slug);
const create = async (fields: Record<string, string>) => visitor.submit(await open('/new'), fields, 'new-wiki-page');
const edit = async (slug: string, fields: Record<string, string>) =>
  visitor.submit(await open(`/${slug}/edit`), fields, 'wiki-page');

it('an empty wiki offers its first page to those who may write it', async () => {
  expect(await textOf('')).toContain(`<a href="${base}/new?title=home">Create the first page</a>`);
  expect(await (await new PageVisitor().load(base)).text()).not.toContain('/new');
  expect(await textOf('/new?title=home')).toMatch(/name="title"[^>]* value="home"/);
  const created = await create({ title: 'home', content: 'The **home**' });
  expect(created.url).toBe(`${connection.url}${base}/home`);
  expect(await created.text()).toContain('The <strong>home</strong>');
  expect(await textOf('/pages')).toContain(`<a href="${base}/new">New page</a>`);
});

it('a page is created in a folder, changed and renamed', async () => {
  const created = await create({ title: 'guides/First steps', content: 'One\r\ntwo' });
  expect(created.url).toBe(`${connection.url}${base}/guides/First-steps`);
  const text = await created.text();
  expect(text).toContain(`<a href="${base}/guides/First-steps/edit">Edit</a>`);
  expect(text).toContain(`<a href="${base}/new?title=guides%2F">New page</a>`);
  expect(await page('guides/First-steps')).toMatchObject({ title: 'First steps', content: 'One\ntwo' });
  expect(await textOf('/guides/First-steps/edit')).toMatch(/value="guides\/First steps".*>One\ntwo<\/textarea>/s);
  await edit('guides/First-steps', { title: 'guides/First steps', content: 'Three' });
  expect(await page('guides/First-steps')).toMatchObject({ content: 'Three' });
  const renamed = await edit('guides/First-steps', { title: 'Last steps', content: 'Three' });
  expect(renamed.url).toBe(`${connection.url}${base}/Last-steps`);
  expect(await page('Last-steps')).toMatchObject({ content: 'Three' });
  expect((await open('/guides/First-steps')).status).toBe(404);
});

it('a page keeps its format', async () => {
  await root.ProjectWikis.create(id, '= Title', 'Manual', { format: 'asciidoc' });
  expect(await textOf('/Manual/edit')).toContain('>AsciiDoc</p>');
  await edit('Manual', { title: 'Manual', content: '= New' });
  await edit('Manual', { title: 'Handbook', content: '= New' });
  expect(await page('Handbook')).toMatchObject({ format: 'asciidoc', content: '= New' });
});

it.each([
  ['../home', 'x', 'Control characters, `..` or `.git` in the title.'],
  ['/', 'x', 'Nothing is left of the title, as of dots and slashes.'],
  ['home', 'x', 'A page with that slug exists, possibly in another format.'],
  [`<script>/${'x'.repeat(250)}`, evil, 'A part of the title is over 245 bytes.'],
  ['Blank', ' ', 'A page without text.'],
])('a new page with the title %j is refused, and what was typed is shown', async (title, content, words) => {
  const refused = await create({ title, content });
  const text = await refused.text();
  expect([refused.status, /role="alert">([^<]*)</.exec(text)?.[1]]).toEqual([422, words]);
  expect(text).toContain('<title>Error: New page');
  expect(text).toContain(` value="${title.replace('<', '&lt;')}"`);
  expect(text).toContain(`>${content === evil ? escaped : content}</textarea>`);
  expect(text).not.toContain('<script');
});

it('hostile titles and texts are shown as they are', async () => {
  const created = await create({ title: `"><script>alert(1)<`, content: `\r\n${evil}` });
  expect(created.status).toBe(200);
  const slug = encodeURIComponent(`"><script>alert(1)<`);
  const form = await textOf(`/${slug}/edit`);
  expect(form).toContain(`>\n\n${escaped}</textarea>`);
  for (const text of [form, await created.text(), await textOf('/pages')]) expect(text).not.toContain('<script');
});

it('two edits keep what both change, or the second one is refused', async () => {
  await create({ title: 'Shared', content: 'First' });
  const [one, two] = [await open('/Shared/edit'), await open('/Shared/edit')];
  await visitor.submit(one, { title: 'Shared', content: 'Of one' }, 'wiki-page');
  const refused = await visitor.submit(two, { title: 'Shared', content: 'Of two' }, 'wiki-page');
  expect([refused.status, await refused.clone().text()]).toEqual([
    422,
    expect.stringMatching(/Content was changed by somebody else meanwhile.*>Of two<\/textarea>/s),
  ]);
  expect(await page('Shared')).toMatchObject({ content: 'Of one' });
  // Sent again, it replaces the other text.
  await visitor.submit(refused, { title: 'Shared', content: 'Of two' }, 'wiki-page');
  expect(await page('Shared')).toMatchObject({ content: 'Of two' });
  const late = await open('/Shared/edit');
  await root.ProjectWikis.edit(id, 'Shared', { content: 'Newer' });
  await visitor.submit(late, { title: 'Moved', content: 'Of two' }, 'wiki-page');
  expect(await page('Moved')).toMatchObject({ content: 'Newer' });
});

it('a text for a page that was renamed meanwhile is not lost', async () => {
  await create({ title: 'Early', content: 'First' });
  const form = await open('/Early/edit');
  await root.ProjectWikis.edit(id, 'Early', { title: 'Late' });
  const lost = await visitor.submit(form, { title: 'Early', content: 'A long text' }, 'wiki-page');
  expect([lost.status, await lost.text()]).toEqual([422, expect.stringContaining('>A long text</textarea>')]);
});

it('a page is deleted after a confirmation', async () => {
  await create({ title: 'dir/Short lived', content: 'x' });
  const form = await open('/dir/Short-lived/edit');
  expect(await form.clone().text()).toMatch(/<details><summary[^>]*>Delete…<\/summary>.*>Delete page<\/button>/);
  const next = await visitor.submit(form, {}, 'delete');
  expect(next.url).toBe(`${connection.url}${base}/pages`);
  expect((await open('/dir/Short-lived')).status).toBe(404);
});

it('pages whose addresses are taken are found all the same', async () => {
  for (const title of ['new', 'pages', 'taken/edit']) {
    const created = await create({ title, content: `The page ${title}` });
    expect(created.url).toBe(`${connection.url}${base}/${title}.md`);
    expect(await created.text()).toContain(`The page ${title}`);
    expect(await textOf(`/${title}/edit`)).toContain(`>The page ${title}</textarea>`);
  }
  // Nothing else is there for those who may not write, or if there is no page to edit.
  expect(await (await new PageVisitor().load(`${base}/new`)).text()).toContain('The page new');
  expect(await textOf('/taken/edit')).toContain('The page taken/edit');
  expect((await open('/nothing/edit')).status).toBe(404);
});

it('a page that a form would damage has none', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-wiki-'));
  const project = await newProject();
  const { username, password, id: writer } = await newUser('maintainer');
  await root.ProjectMembers.add(project.id, 40, { userId: writer });
  const own = new PageVisitor();
  await own.signIn(username, password);
  try {
    await root.ProjectWikis.create(project.id, 'x', 'home');
    git(folder, [
      'clone',
      '--quiet',
      remoteUrl(`${project.path_with_namespace}.wiki`, connection.username, connection.token),
      '.',
    ]);
    writeFileSync(path.join(folder, 'huge.md'), 'x'.repeat(6 << 20));
    writeFileSync(path.join(folder, 'large.md'), 'x'.repeat(2 << 20));
    writeFileSync(path.join(folder, 'binary.md'), 'a\0b');
    writeFileSync(path.join(folder, 'windows.md'), 'one\r\ntwo\r\n');
    git(folder, ['add', '.']);
    git(folder, ['commit', '--quiet', '-m', 'Add pages']);
    git(folder, ['push', '--quiet']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const at = (slug: string) => `/${project.path_with_namespace}/-/wikis/${slug}/edit`;
  for (const slug of ['huge', 'large', 'binary']) {
    const form = await own.load(at(slug));
    const text = await form.clone().text();
    expect([slug, form.status, text.includes('<textarea')]).toEqual([slug, 200, false]);
    expect(text).toContain('This page is too large for a form, or not a text.');
    expect((await own.submit(form, {}, 'delete')).status).toBe(200);
    expect((await own.load(at(slug))).status).toBe(404);
  }
  await own.submit(await own.load(at('windows')), { title: 'windows', content: 'one\r\nthree\r\n' }, 'wiki-page');
  expect((await root.ProjectWikis.show(project.id, 'windows')).content).toBe('one\r\nthree\r\n');
});
