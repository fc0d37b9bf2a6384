import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { eventually } from '@moothall/testing';
import { git, gitText, importSample, startSample } from './build-repository';

const { engine, source } = startSample();
let repository: string;
let folder: string;
beforeAll(async () => {
  repository = await importSample(engine, source);
  folder = mkdtempSync(join(tmpdir(), 'moothall-tar-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (signal = new AbortController().signal): Promise<Readable> => engine.tars.open(repository, { signal });
const refsOf = (path: string) => gitText(path, ['for-each-ref', '--format=%(objectname) %(refname)']);
const unpack = (name: string, tar: Buffer): string => {
  const target = mkdtempSync(join(folder, name));
  execFileSync('tar', ['-x', '-C', target], { input: tar });
  return target;
};

it('contains HEAD, all refs and all objects, loose and packed, and nothing else', async () => {
  git(repository, ['update-ref', 'refs/merge-requests/1/head', 'main']);
  const target = unpack('whole', await buffer(await open()));
  expect(readdirSync(target).sort()).toEqual(expect.arrayContaining(['HEAD', 'objects', 'refs']));
  expect(readdirSync(target)).not.toContain('config');
  git(target, ['fsck', '--full', '--strict']);
  expect(refsOf(target)).toBe(refsOf(repository));
  expect(gitText(target, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main');
});

it('is a snapshot of its start, whatever is packed and written meanwhile', async () => {
  const before = refsOf(repository);
  const tar = await open();
  const id = gitText(repository, ['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'later']);
  git(repository, ['update-ref', 'refs/heads/main', id]);
  git(repository, ['repack', '-a', '-d', '-q']);
  git(repository, ['pack-refs', '--all']);
  const target = unpack('still', await buffer(tar));
  git(target, ['fsck', '--full', '--strict']);
  expect(refsOf(target)).toBe(before);
  expect(() => git(target, ['cat-file', '-e', id])).toThrow();
});

it('also has a repository that cannot be cloned any more', async () => {
  const tree = gitText(repository, ['rev-parse', 'main^{tree}']);
  writeFileSync(join(repository, 'refs/heads/broken'), 'nothing\n');
  const target = unpack('broken', await buffer(await open()));
  expect(gitText(target, ['rev-parse', 'refs/heads/main^{tree}'])).toBe(tree);
  rmSync(join(repository, 'refs/heads/broken'));
});

it('releases its slot and its files after it was sent, and if the reader disconnects', async () => {
  const gone = new AbortController();
  const tar = await open(gone.signal);
  expect(engine.transport.runningProcesses).toBe(1);
  tar.once('error', () => undefined).destroy();
  await buffer(await open());
  const isDone = () =>
    engine.transport.runningProcesses === 0 && readdirSync(join(engine.storage.root, '+new')).length === 0;
  expect(await eventually(() => isDone() || undefined)).toBe(true);
});

it('does not start for a client that has disconnected', async () => {
  const gone = new AbortController();
  gone.abort();
  await expect(open(gone.signal)).rejects.toMatchObject({ reason: 'cancelled' });
});
