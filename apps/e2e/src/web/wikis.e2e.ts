import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PageVisitor } from '../identity/page-visitor';
import { connection, root, uniqueName } from '../server/connection';
import { git, remoteUrl } from '../server/git';

/* Pages of wikis: what they show of a page, whatever its name and text are. */

const evil = `"><script>alert(1)</script>`;
const visitor = new PageVisitor();
let base: string;
let id: number;

beforeAll(async () => {
  const name = uniqueName('wiki');
  const project = await root.Projects.create({ name, path: name, visibility: 'public' });
  base = `/${project.path_with_namespace}`;
  id = project.id;
});

const open = async (below: string) => {
  const response = await visitor.load(base + below);
  return { status: response.status, text: await response.text() };
};
const write = (title: string, content: string, format: 'markdown' | 'asciidoc' = 'markdown') =>
  root.ProjectWikis.create(id, content, title, { format });

it('a wiki without pages says so', async () => {
  for (const below of ['/-/wikis', '/-/wikis/pages']) {
    const { status, text } = await open(below);
    expect([status, text.includes('There are no pages.')]).toEqual([200, true]);
  }
});

it('the address of a wiki shows its list, and its home page if there is one', async () => {
  await write('First page', 'The **first**');
  expect((await open('/-/wikis')).text).toContain(`<a href="${base}/-/wikis/First-page"><bdi>First page</bdi></a>`);
  await write('home', 'This is the **home**');
  expect((await open('/-/wikis')).text).toContain('This is the <strong>home</strong>');
  expect((await open('/-/wikis/home')).text).toContain('This is the <strong>home</strong>');
  expect((await open('/-/wikis/pages')).text).toContain('<bdi>First page</bdi>');
});

it('a page in a folder links to other pages, and shows attachments', async () => {
  const { link } = await root.ProjectWikis.uploadAttachment(id, {
    content: new Blob(['attached words']),
    filename: 'words.txt',
  });
  const links = `[a](home) [b](dir/one) [c](./one) [d](one.md) [e](/home) [f](../home) [g](${link.url}) [h](#top)`;
  await write('dir/one', 'The page one');
  await write('dir/two', links);
  const { text } = await open('/-/wikis/dir/two');
  const addresses = [...text.matchAll(/<a href="([^"]*)" rel/g)].map(([, address]) => address!);
  const [home, one] = [`${base}/-/wikis/home`, `${base}/-/wikis/dir/one`];
  expect(addresses).toEqual([home, one, one, `${one}.md`, home, home, `${base}/-/wikis/${link.url}`, '#top']);
  expect((await open('/-/wikis/dir/one.md')).text).toContain('The page one');
  const attached = await fetch(connection.url + addresses[6]!);
  expect([attached.status, await attached.text()]).toEqual([200, 'attached words']);
  expect(attached.headers.get('content-type')).toBe('text/plain; charset=utf-8');
});

it('a page that is not Markdown is plain text', async () => {
  await write('Manual', `= Title ${evil}`, 'asciidoc');
  expect((await open('/-/wikis/Manual')).text).toContain('<pre>= Title &quot;>&lt;script>');
});

it('a long page is cut', async () => {
  await write('Long', `${'word '.repeat(9)}\n\n`.repeat(15_000));
  const { status, text } = await open('/-/wikis/Long');
  expect([status, text.includes('The rest of the text is not shown.')]).toEqual([200, true]);
  expect(text.length).toBeLessThan(200_000);
});

it.each([
  ...['/-/wikis/none', '/-/wikis/dir', '/-/wikis/none.md', '/-/wikis/Home'],
  ...['/-/wikis/uploads/none', `/-/wikis/uploads/${'0'.repeat(32)}/none`],
])('%s is not found', async (below) => {
  expect((await open(below)).status).toBe(404);
});

describe('a wiki that was pushed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-wiki-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(() => {
    const remote = remoteUrl(`${base.slice(1)}.wiki`, connection.username, connection.token);
    git(folder, ['clone', '--quiet', remote, '.']);
    mkdirSync(path.join(folder, 'many'));
    for (let number = 1001; number <= 1150; number++) writeFileSync(path.join(folder, `many/${number}.md`), 'x');
    writeFileSync(path.join(folder, '"><script>alert(1)<.md'), evil);
    writeFileSync(path.join(folder, `${'long '.repeat(50)}.md`), 'The long name');
    writeFileSync(path.join(folder, 'x y ä#?%&.md'), 'The strange name');
    writeFileSync(path.join(folder, 'large.md'), 'x'.repeat(6 << 20));
    git(folder, ['add', '.']);
    git(folder, ['commit', '--quiet', '-m', 'Add pages']);
    git(folder, ['push', '--quiet']);
  });

  it('has a list with pages', async () => {
    const slugs = async (query: string) =>
      [...(await open(`/-/wikis/pages${query}`)).text.matchAll(/<li><a href="[^"]*\/wikis\/many\/(\d+)"/g)].length;
    const [one, two] = [await slugs(''), await slugs('?page=2')];
    expect(one + two).toBe(150);
    expect(Math.max(one, two)).toBeLessThanOrEqual(100);
  });

  it('has a limited number of links on each page, with one to the page itself', async () => {
    const { text } = await open('/-/wikis/many/1149');
    expect(text.match(/\/-\/wikis\/many\/\d+"/g)!.length).toBeLessThanOrEqual(50);
    expect(text).toContain(`<a href="${base}/-/wikis/many/1149" aria-current="page">`);
  });

  it('shows pages with any name', async () => {
    const { text } = await open('/-/wikis/pages');
    expect(text).toContain(`<bdi>${'long '.repeat(40)}…</bdi>`);
    expect(text).not.toContain('<script');
    for (const [slug, words] of [
      ['"><script>alert(1)<', '&quot;&gt;'],
      ['long '.repeat(50), 'The long name'],
      ['x y ä#?%&', 'The strange name'],
      ['large', 'The page is too large to be shown.'],
    ] as const) {
      const page = await open(`/-/wikis/${encodeURIComponent(slug)}`);
      expect([slug, page.status, page.text.includes(words)]).toEqual([slug, 200, true]);
      expect(page.text).not.toContain('<script');
    }
  });
});
