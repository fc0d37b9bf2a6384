import { WikiStore } from '../../src/wiki-pages/wiki-store';
import { gitText, makeEngine } from '../git/build-repository';

const { engine, dispose } = makeEngine();
const wiki = new WikiStore(engine);
const ada = { name: 'Ada', email: 'ada@example.com', username: 'ada' };
let repository: string;
let nextProject = 1;

beforeAll(() => engine.start());
beforeEach(async () => {
  repository = await engine.storage.create(nextProject++, { kind: 'wiki', defaultBranch: 'master' });
});
afterAll(dispose);

it('is empty before the first page', async () => {
  expect(await wiki.list(repository)).toEqual([]);
  await expect(wiki.get(repository, 'Home')).rejects.toMatchObject({ code: 'wiki.page_not_found' });
});

it('writes pages in folders and all formats, and lists them by slug', async () => {
  await wiki.create(repository, { title: 'dir/My page', content: '# Hi' }, ada);
  await wiki.create(repository, { title: 'Home', content: '= Hi', format: 'asciidoc' }, ada);
  await wiki.create(repository, { title: 'todo', content: '* Hi', format: 'org' }, ada);
  await wiki.create(repository, { title: 'r', content: '= Hi', format: 'rdoc' }, ada);
  expect(
    (await wiki.list(repository)).map(({ slug, title, format, content }) => [slug, title, format, content]),
  ).toEqual([
    ['Home', 'Home', 'asciidoc', null],
    ['dir/My-page', 'My page', 'markdown', null],
    ['r', 'r', 'rdoc', null],
    ['todo', 'todo', 'org', null],
  ]);
  expect((await wiki.list(repository, true))[1]!.content).toBe('# Hi');
  expect(gitText(repository, ['log', '-1', '--format=%an %s', 'master'])).toBe('Ada ada created page: r');
  expect(gitText(repository, ['ls-tree', '-r', '--name-only', 'master']).split('\n')).toEqual([
    'Home.asciidoc',
    'dir/My-page.md',
    'r.rdoc',
    'todo.org',
  ]);
});

it('refuses a second page of a title, in any format, and blank contents', async () => {
  await wiki.create(repository, { title: 'Home', content: 'x' }, ada);
  await expect(wiki.create(repository, { title: 'Home', content: 'y', format: 'org' }, ada)).rejects.toMatchObject({
    code: 'wiki.page_duplicate',
  });
  await expect(wiki.create(repository, { title: 'Other', content: ' ' }, ada)).rejects.toMatchObject({
    code: 'wiki.content_blank',
  });
  await expect(wiki.create(repository, { title: 'Big', content: 'x'.repeat(100 << 20) }, ada)).rejects.toMatchObject({
    code: 'wiki.content_too_long',
  });
  expect(gitText(repository, ['rev-list', '--count', 'master'])).toBe('1');
});

it('renames by title, keeps the history, and deletes the old slug', async () => {
  await wiki.create(repository, { title: 'dir/Old', content: 'text' }, ada);
  const page = await wiki.update(repository, 'dir/Old', { title: 'New name' }, ada);
  expect(page).toEqual({ slug: 'dir/New-name', title: 'New name', format: 'markdown', content: 'text' });
  await expect(wiki.get(repository, 'dir/Old')).rejects.toMatchObject({ code: 'wiki.page_not_found' });
  await wiki.update(repository, 'dir/New-name', { format: 'org', content: 'new' }, ada);
  expect(gitText(repository, ['ls-tree', '-r', '--name-only', 'master'])).toBe('dir/New-name.org');
  await wiki.create(repository, { title: 'Taken', content: 'x' }, ada);
  await expect(wiki.update(repository, 'dir/New-name', { title: '/Taken' }, ada)).rejects.toMatchObject({
    code: 'wiki.page_duplicate',
  });
});

it('deletes', async () => {
  await wiki.create(repository, { title: 'Home', content: 'x' }, ada);
  await wiki.remove(repository, 'Home', ada);
  expect(await wiki.list(repository)).toEqual([]);
  await expect(wiki.remove(repository, 'Home', ada)).rejects.toMatchObject({ code: 'wiki.page_not_found' });
});

it('stores attachments in the repository, which are no pages', async () => {
  const content = Buffer.from([0, 255, 10]);
  const stored = await wiki.attach(repository, { name: 'notes.md', content }, ada);
  expect(stored.branch).toBe('master');
  expect(gitText(repository, ['cat-file', '-s', `master:${stored.filePath}`])).toBe('3');
  expect(await wiki.list(repository)).toEqual([]);
});

it('loses none of many concurrent edits', async () => {
  const titles = Array.from({ length: 10 }, (_, n) => `page-${n}`);
  await Promise.all(titles.map((title) => wiki.create(repository, { title, content: title }, ada)));
  expect((await wiki.list(repository)).map((page) => page.slug)).toEqual(titles);
  const twice = await Promise.allSettled(
    [1, 2].map((n) => wiki.create(repository, { title: 'Same', content: String(n) }, ada)),
  );
  expect(twice.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
});
