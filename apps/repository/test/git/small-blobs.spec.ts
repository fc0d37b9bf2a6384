import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Incoming } from '../../src/git/read/incoming';
import { git, gitText, importSample, startSample } from './build-repository';

const { engine, source } = startSample();
let repository: string;
let folder: string;
beforeAll(async () => {
  repository = await importSample(engine, source);
  folder = mkdtempSync(join(tmpdir(), 'moothall-blobs-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const size = { least: 100, most: 1024 };
async function read(incoming: Omit<Incoming, 'repository'>): Promise<string[]> {
  const found: string[] = [];
  for await (const some of engine.smallBlobs.read({ repository, ...incoming }, size))
    found.push(...some.map((blob) => blob.toString('latin1')));
  return found.sort();
}

/** The quarantine of a push of these files on top of main. @returns it, and the commit */
function push(name: string, files: Record<string, string>, isPacked: boolean) {
  const quarantine = mkdtempSync(join(folder, name));
  mkdirSync(join(quarantine, 'pack'));
  const env = {
    GIT_DIR: repository,
    GIT_OBJECT_DIRECTORY: quarantine,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repository, 'objects'),
  };
  const run = (args: string[], input = '') => git(repository, args, { env, input }).toString().trim();
  const entries = Object.entries(files).map(
    ([path, content]) => `100644 blob ${run(['hash-object', '-w', '--stdin'], content)}\t${path}\n`,
  );
  const after = run(['commit-tree', run(['mktree'], entries.join('')), '-p', 'main', '-m', name]);
  if (isPacked) {
    const loose = readdirSync(quarantine).filter((part) => part.length === 2);
    const ids = loose.flatMap((part) => readdirSync(join(quarantine, part)).map((rest) => part + rest));
    run(['pack-objects', '-q', join(quarantine, 'pack', 'pack')], ids.map((id) => `${id}\n`).join(''));
    for (const part of loose) rmSync(join(quarantine, part), { recursive: true });
  }
  return { quarantine, updates: [{ before: null, after }] };
}

const files = {
  short: 'x'.repeat(99),
  least: 'a'.repeat(100),
  most: 'b'.repeat(1024),
  random: Array.from({ length: 1000 }, (_, at) => String.fromCharCode((at * at * 7919) % 251)).join(''),
  long: 'c'.repeat(1025),
  flat: 'd'.repeat(1 << 20),
};
const wanted = [files.least, files.most, Buffer.from(files.random).toString('latin1')].filter(
  (text) => text.length <= size.most,
);

it.each([
  ['loose', false],
  ['in a pack', true],
])('are read if a push contains them %s, and no others', async (what, isPacked) => {
  expect(await read(push(what.slice(0, 2), files, isPacked))).toEqual([...wanted].sort());
});

it('are those of a new commit that its parents do not have, at any depth', async () => {
  const before = gitText(repository, ['rev-parse', 'main']);
  await engine.commitWriter.write(repository, {
    branch: 'deep',
    start: 'main',
    message: 'm',
    actions: [
      { action: 'create', filePath: 'x/y/z', content: files.least },
      { action: 'create', filePath: 'large', content: files.long },
    ],
    author: { name: 'a', email: 'a@x' },
    committer: { name: 'a', email: 'a@x' },
  });
  const after = gitText(repository, ['rev-parse', 'deep']);
  expect(await read({ updates: [{ before: null, after }] })).toEqual([]);
  git(repository, ['update-ref', '-d', 'refs/heads/deep']);
  expect(await read({ updates: [{ before, after }] })).toEqual([files.least]);
});

it('are found by git if a commit has new parents', async () => {
  writeFileSync(join(folder, 'blob'), files.most);
  const blob = gitText(repository, ['hash-object', '-w', join(folder, 'blob')]);
  const tree = git(repository, ['mktree'], { input: `100644 blob ${blob}\tnew\n` })
    .toString()
    .trim();
  const first = gitText(repository, ['commit-tree', tree, '-p', 'main', '-m', 'first']);
  const second = gitText(repository, ['commit-tree', 'main^{tree}', '-p', first, '-m', 'second']);
  expect(await read({ updates: [{ before: null, after: second }] })).toContain(files.most);
});

it('reads those of a whole repository', async () => {
  const found: string[] = [];
  for await (const some of engine.smallBlobs.all(repository, size, 60_000))
    found.push(...some.map((blob) => blob.toString('latin1')));
  const listed = gitText(repository, ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype) %(objectsize)']);
  const sizes = listed.split('\n').map((line) => line.split(' '));
  const small = sizes.filter(([type, bytes]) => type === 'blob' && Number(bytes) >= 100 && Number(bytes) <= 1024);
  expect(found.map((blob) => String(blob.length)).sort()).toEqual(small.map(([, bytes]) => bytes).sort());
  expect(found.length).toBeGreaterThan(0);
});
