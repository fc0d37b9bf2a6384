import { execFileSync } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { eventually } from '@moothall/testing';
import { type ArchiveFormat, archiveFormat } from '../../src/git/read/archive';
import { git, gitText, importSample, startSample } from './build-repository';

const { engine, source } = startSample();
let repository: string;
beforeAll(async () => {
  repository = await importSample(engine, source);
});

const UNPACK: Record<ArchiveFormat, (bytes: Buffer) => Buffer> = {
  'tar.gz': gunzipSync,
  'tar.bz2': (bytes) => execFileSync('bzip2', ['-dc'], { input: bytes, maxBuffer: 1 << 30 }),
  tar: (bytes) => bytes,
  zip: (bytes) => bytes,
};

it.each(['tar.gz', 'tar.bz2', 'tar', 'zip'] as const)('writes %s with the bytes of git archive', async (format) => {
  const { stream, fileName, commitId } = await engine.archives.open(repository, {
    project: 'sample',
    ref: 'feature/one',
    format,
  });
  expect(commitId).toBe(gitText(source, ['rev-parse', 'feature/one']));
  expect(fileName).toBe(`sample-feature-one-${commitId}.${format}`);
  const expected = git(source, [
    'archive',
    `--format=${format === 'zip' ? 'zip' : 'tar'}`,
    `--prefix=sample-feature-one-${commitId}/`,
    commitId,
  ]);
  expect(UNPACK[format](await buffer(stream)).equals(expected)).toBe(true);
});

it('writes a folder only', async () => {
  const { stream } = await engine.archives.open(repository, {
    project: 'p',
    ref: 'main',
    format: 'tar',
    path: '/docs/',
  });
  const names = execFileSync('tar', ['-t'], { input: await buffer(stream) })
    .toString()
    .trim()
    .split('\n');
  expect(names.every((name) => /^p-main-\w+\/(docs\/.*)?$/.test(name))).toBe(true);
  expect(names.some((name) => name.endsWith('docs/deep/er/x.txt'))).toBe(true);
});

it('refuses unknown revisions, paths and formats', async () => {
  const open = (ref: string, path?: string) =>
    engine.archives.open(repository, { project: 'p', ref, format: 'tar', path });
  await expect(open('nope')).rejects.toMatchObject({ reason: 'path_not_found' });
  await expect(open('main', '../x')).rejects.toMatchObject({ reason: 'path_not_found' });
  await expect(open('main', ':(glob)*')).rejects.toMatchObject({ reason: 'path_not_found' });
  expect(() => archiveFormat('rar')).toThrow('404 File Not Found');
  expect(() => archiveFormat('constructor')).toThrow('404 File Not Found');
});

it.each(['tgz', 'gz', 'tar.gz', undefined])('treats %s as tar.gz', (suffix) => {
  expect(archiveFormat(suffix)).toBe('tar.gz');
});

it('stops git if the reader disconnects', async () => {
  const { stream } = await engine.archives.open(repository, { project: 'p', ref: 'main', format: 'tar.bz2' });
  stream.destroy();
  await eventually(() => engine.transport.runningProcesses === 0, 'the end of git');
});
