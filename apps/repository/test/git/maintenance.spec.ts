import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RepositoryMaintenance } from '../../src/git/storage/maintenance';
import { git, gitText, importSample, startSample } from './build-repository';

const { engine, source } = startSample();
let repository: string;
let nextProject = 1;

beforeEach(async () => {
  repository = await importSample(engine, source, nextProject++);
});

it('packs a repository with bitmap and commit-graph, and reads stay the same', async () => {
  const refs = gitText(repository, ['for-each-ref']);
  const ids = gitText(repository, ['rev-list', '--all', '--objects', '--no-object-names']).split('\n');
  await engine.objects.read(repository, ids[0]!);
  await engine.maintenance.run(repository);
  const packs = readdirSync(join(repository, 'objects', 'pack'));
  expect(packs.filter((name) => name.endsWith('.pack'))).toHaveLength(1);
  expect(packs.some((name) => name.endsWith('.bitmap'))).toBe(true);
  expect(readdirSync(join(repository, 'objects', 'info')).some((name) => name.startsWith('commit-graph'))).toBe(true);
  expect(gitText(repository, ['for-each-ref'])).toBe(refs);
  for (const id of ids) expect(await engine.objects.info(repository, id)).not.toBeNull();
  await engine.maintenance.run(repository);
});

it('does not touch the objects of a write in progress', async () => {
  const id = git(repository, ['hash-object', '-w', '--stdin'], { input: 'not yet named by a ref' }).toString().trim();
  await engine.maintenance.run(repository);
  expect(await engine.objects.info(repository, id)).not.toBeNull();
});

it('does not remove the folders of writes', async () => {
  const folders = () => readdirSync(join(repository, 'objects')).filter((name) => name.length === 2);
  mkdirSync(join(repository, 'objects', 'ab'), { recursive: true });
  await engine.maintenance.run(repository);
  expect(folders()).toHaveLength(256);
  expect(folders().flatMap((name) => readdirSync(join(repository, 'objects', name)))).toEqual([]);
  expect(await engine.maintenance.check(repository)).toEqual({ findings: [] });
});

it('does nothing if the repository was removed', async () => {
  await engine.remove(repository);
  await expect(engine.maintenance.run(repository)).rejects.toThrow();
  expect(existsSync(repository)).toBe(false);
});

it('is due after enough packs', async () => {
  expect(await engine.maintenance.isDue(repository)).toBe(false);
  const eager = new RepositoryMaintenance(engine.objects, { packs: 0, looseObjects: 1e9 });
  git(repository, ['repack', '-q', '-a', '-d']);
  expect(await eager.isDue(repository)).toBe(true);
});

it('finds damage', async () => {
  expect(await engine.maintenance.check(repository)).toEqual({ findings: [] });
  const id = gitText(repository, ['rev-parse', 'main:src/digits.txt']);
  const file = join(repository, 'objects', id.slice(0, 2), id.slice(2));
  git(repository, ['unpack-objects', '-q'], {
    input: git(source, ['pack-objects', '-q', '--stdout'], { input: `${id}\n` }),
  });
  chmodSync(file, 0o644);
  writeFileSync(file, readFileSync(file).subarray(0, -20));
  const { findings } = await engine.maintenance.check(repository);
  expect(findings.join('\n')).toContain(id);
  await expect(engine.objects.read(repository, id)).rejects.toMatchObject({ reason: 'object_unreadable' });
  const other = gitText(repository, ['rev-parse', 'main:src/main.c']);
  expect((await engine.objects.read(repository, other))!.type).toBe('blob');
});
