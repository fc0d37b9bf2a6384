import {
  Access,
  createCommit,
  createWikiPage,
  type InputOf,
  listGroupProjects,
  listProjects,
  type Operation,
  type OutputOf,
  type ProjectRef,
  present,
  projectRefs,
  searchBlobs,
  searchCommits,
  searchGroupBlobs,
  searchProjectBlobs,
  searchProjectCommits,
  searchProjectWikiBlobs,
} from '@moothall/contracts';
import { natsConnection, publishAbandoned } from '@moothall/messaging';
import { contextOf, groupNamed } from '@moothall/testing';
import { type ProjectUnderTest, type RepositoryUnderTest, startRepositoryService } from './repository-under-test';

let service: RepositoryUnderTest;
beforeAll(async () => {
  service = await startRepositoryService();
}, 60_000);
afterAll(() => service.stop());

async function projectWith(files: Record<string, string | Buffer>, over: Partial<ProjectRef> = {}) {
  const made = await service.newProject();
  await put(made, files);
  Object.assign(made.project, over);
  return made;
}

async function put({ context }: ProjectUnderTest, files: Record<string, string | Buffer>, branch = 'main') {
  const actions = Object.entries(files).map(([file_path, content]) => ({
    action: 'create' as const,
    file_path,
    content: Buffer.from(content).toString('base64'),
    encoding: 'base64' as const,
  }));
  await service.client.call(createCommit, { id: 'x', branch, commit_message: 'more files', actions }, context);
}

const search = ({ context }: ProjectUnderTest, text: string, more: object = {}) =>
  service.client.call(searchProjectBlobs, { id: 'x', scope: 'blobs', search: text, ...more }, context);

async function placesOf(made: ProjectUnderTest, text: string, more: object = {}) {
  const { items } = await search(made, text, more);
  return items.map(({ path, startline }) => `${path}:${startline}`);
}

describe('code', () => {
  let made: ProjectUnderTest;
  beforeAll(async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}${at % 15 === 9 ? ' Needle.*' : ''}`);
    made = await projectWith({
      'src/main.ts': lines.join('\n'),
      'src/needle.test.ts': 'nothing in it\n',
      'docs/guide.md': 'a needle.* for you\n',
      'docs/-e.md': '-e --open-files-in-pager=touch\n',
      'vendor/big.txt': `needle.*\n${'x'.repeat(1 << 20)}`,
      'vendor/image.bin': Buffer.concat([Buffer.from('needle.*'), Buffer.from([0, 1, 2])]),
      'caf\u00e9/\u65e5.txt': 'needle.* \u00fcber\n',
      'empty.txt': '',
    });
  });

  it('is found literally and in any case, with the lines around it, without large and binary files', async () => {
    const { items, total } = await search(made, 'needle.*');
    expect(items.map(({ path, startline }) => `${path}:${startline}`)).toEqual([
      'café/日.txt:1',
      'docs/guide.md:1',
      'src/main.ts:8',
      'src/main.ts:23',
    ]);
    expect(total).toBe(4);
    expect(items[2]).toEqual({
      basename: 'src/main',
      data: 'line 8\nline 9\nline 10 Needle.*\nline 11\nline 12\n',
      path: 'src/main.ts',
      filename: 'src/main.ts',
      id: null,
      ref: 'main',
      startline: 8,
      project_id: made.project.id,
    });
  });

  it('is also found by the names of files, which come first', async () => {
    const { items } = await search(made, 'NEEDLE');
    expect(items[0]).toMatchObject({ path: 'src/needle.test.ts', startline: 1, data: 'nothing in it\n' });
    expect(items).toHaveLength(5);
  });

  it.each([
    ['needle extension:md', ['docs/guide.md:1']],
    ['needle.* -extension:ts -path:docs', ['café/日.txt:1']],
    ['filename:*.test.ts', ['src/needle.test.ts:1']],
    ['line path:src/', ['src/main.ts:1']],
    ['über', ['café/日.txt:1']],
    ['日', ['café/日.txt:1']],
    ['empty.txt', []],
    ['needle-that-is-not-there', []],
  ])('%s is %j', async (text, expected) => {
    expect(await placesOf(made, text)).toEqual(expected);
  });

  // Each of these would have an effect if it reached git as an option or a pattern.
  it.each([
    ['-e', ['docs/-e.md:1', 'docs/-e.md:1']],
    ['--open-files-in-pager=touch', ['docs/-e.md:1']],
    ['.*', ['café/日.txt:1', 'docs/guide.md:1', 'src/main.ts:8', 'src/main.ts:23']],
    ['(?i)needle', []],
    ['needle\nfor', []],
    ['[[:alpha:]]', []],
    ['-f/etc/passwd', []],
    [`path:${'*a'.repeat(1000)}`, []],
  ])('%j is a text like any other', async (text, expected) => {
    expect(await placesOf(made, text)).toEqual(expected);
  });

  it('is searched on another ref, and refused on a missing one', async () => {
    await made.branch('other');
    await put(made, { 'other.txt': 'only here, needle.*\n' }, 'other');
    expect(await placesOf(made, 'only here')).toEqual([]);
    const { items } = await search(made, 'only here', { ref: 'other' });
    expect(items).toMatchObject([{ path: 'other.txt', ref: 'other' }]);
    for (const ref of ['none', '--all', 'main:src']) {
      await expect(search(made, 'needle', { ref })).rejects.toMatchObject({
        value: { code: 'repository_content.ref_not_found' },
      });
    }
  });

  it('is paged', async () => {
    const { items, total } = await search(made, 'needle.*', { page: 2, per_page: 3 });
    expect(items.map(({ startline }) => startline)).toEqual([23]);
    expect(total).toBe(4);
  });

  it('is searched by many concurrently', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, () => placesOf(made, 'needle.*')));
    expect(new Set(all.map((places) => places.length))).toEqual(new Set([4]));
  });
});

it('finds nothing in a repository without commits', async () => {
  const empty = await service.newProject();
  await put(empty, { 'a.txt': 'x' });
  const none = { ...empty, context: { ...empty.context, project: { ...empty.project, id: 999_999 } } };
  expect(await search(none, 'needle')).toEqual({ items: [], total: 0 });
});

it('stops at a thousand matches, and then returns no total', async () => {
  const text = Array.from({ length: 9000 }, (_, at) => (at % 6 === 0 ? 'needle' : 'hay')).join('\n');
  const made = await projectWith({ 'a.txt': text, 'b.txt': text });
  const { items, total } = await search(made, 'needle', { page: 10, per_page: 100 });
  expect(items).toHaveLength(100);
  expect(total).toBeUndefined();
  expect((await search(made, 'needle', { page: 11, per_page: 100 })).items).toEqual([]);
});

it('stops if the client disconnects', async () => {
  const made = await projectWith(
    Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, `${at} needle`])),
  );
  const context = { ...made.context, requestId: 'gone-1' };
  const answer = service.client.call(searchProjectBlobs, { id: 'x', scope: 'blobs', search: 'needle' }, context);
  const outcome = answer.catch((error: { value: { code: string } }) => error.value.code);
  const connection = service.running.app.get(natsConnection, { strict: false });
  const timer = setInterval(() => publishAbandoned(connection, 'gone-1'), 1);
  expect(await outcome).toBe('git.cancelled');
  clearInterval(timer);
  expect(await placesOf(made, 'needle', { per_page: 1 })).toHaveLength(1);
});

describe('commits', () => {
  const find = ({ context }: ProjectUnderTest, text: string, more: object = {}) =>
    service.client.call(searchProjectCommits, { id: 'x', scope: 'commits', search: text, ...more }, context);

  it('are found by a text of their message, or the beginning of their id', async () => {
    const made = await service.newProject();
    const id = await made.commit('main', 'a.txt', '1');
    await made.commit('main', 'b(.txt', '2');
    expect((await find(made, 'ADD A.txt')).items).toMatchObject([{ id, project_id: made.project.id }]);
    expect((await find(made, 'b(.')).items).toMatchObject([{ title: 'add b(.txt' }]);
    expect((await find(made, id.slice(0, 9))).items).toMatchObject([{ id }]);
    expect((await find(made, id, { page: 2 })).items).toEqual([]);
    expect((await find(made, '.*')).items).toEqual([]);
    expect((await find(made, '--all')).items).toEqual([]);
    expect((await find(made, 'add', { per_page: 1, page: 2 })).items).toMatchObject([{ id }]);
    await expect(find(made, 'add', { ref: 'none' })).rejects.toMatchObject({
      value: { code: 'repository_content.ref_not_found' },
    });
  });
});

describe('wikis', () => {
  const find = ({ context }: ProjectUnderTest, text: string) =>
    service.client.call(searchProjectWikiBlobs, { id: 'x', scope: 'wiki_blobs', search: text }, context);

  it('are searched like code, if they exist', async () => {
    const made = await service.newProject();
    expect(await find(made, 'anything')).toEqual({ items: [], total: 0 });
    const page = { id: 'x', title: 'Home page', content: 'all about needles\n' };
    await service.client.call(createWikiPage, page, made.context);
    expect((await find(made, 'NEEDLES')).items).toMatchObject([
      { path: 'Home-page.md', basename: 'Home-page', data: 'all about needles\n', ref: 'master', group_id: null },
    ]);
  });
});

describe('across projects', () => {
  async function world() {
    const open = await projectWith({ 'open.txt': 'needle\n' }, { visibility: 'public', accessLevel: Access.None });
    const mine = await projectWith({ 'mine.txt': 'needle\n' }, { visibility: 'private', accessLevel: Access.Reporter });
    const asGuest = await projectWith({ 'a.txt': 'needle\n' }, { visibility: 'private', accessLevel: Access.Guest });
    const hidden = await projectWith({ 'a.txt': 'needle\n' }, { visibility: 'private', accessLevel: Access.None });
    const closed = await projectWith(
      { 'a.txt': 'needle\n' },
      { accessLevel: Access.None, visibility: 'public', features: { ...open.project.features, repository: 'private' } },
    );
    const away = await projectWith({ 'a.txt': 'needle\n' }, { visibility: 'public' });
    away.project.storage = 'gone';
    const all = [hidden, away, mine, closed, asGuest, open].map(({ project }) => project);
    const asked: unknown[] = [];
    const listed = (input: unknown) => {
      asked.push(input);
      return { items: all.map(({ id }) => ({ id })) as never, total: all.length };
    };
    service.respond(listProjects, listed);
    service.respond(listGroupProjects, listed);
    service.respond(projectRefs, ({ ids }) => [...all].reverse().filter(({ id }) => ids.includes(id)));
    return { open, mine, asked, context: contextOf({ caller: open.caller }) };
  }

  const called = <T extends Operation>(operation: T, input: InputOf<T>, context: object): Promise<OutputOf<T>> =>
    service.client.call(operation, input, context);

  it('finds code the caller may read, in the order of projects, without storages that do not answer', async () => {
    const { open, mine, context, asked } = await world();
    const { items, total } = await called(searchBlobs, { scope: 'blobs', search: 'needle' }, context);
    expect(items.map(({ path, project_id }) => [path, project_id])).toEqual([
      ['mine.txt', mine.project.id],
      ['open.txt', open.project.id],
    ]);
    expect(total).toBeUndefined();
    expect(asked).toMatchObject([{ order_by: 'last_activity_at', sort: 'desc', archived: false, per_page: 100 }]);
    const second = await called(searchBlobs, { scope: 'blobs', search: 'needle', page: 2, per_page: 1 }, context);
    expect(second.items.map(({ path }) => path)).toEqual(['open.txt']);
  });

  it('is available in a group, and for commits', async () => {
    const { context, asked } = await world();
    const group = groupNamed('g');
    const input = { id: String(group.id), scope: 'blobs', search: 'needle' };
    expect((await called(searchGroupBlobs, input, { ...context, group })).items).toHaveLength(2);
    expect(asked).toMatchObject([{ id: String(group.id), include_subgroups: true, with_shared: false }]);
    const { items } = await called(searchCommits, { scope: 'commits', search: 'more files' }, context);
    expect(present(items[0], 'a commit')).toMatchObject({ title: 'more files' });
  });
});
