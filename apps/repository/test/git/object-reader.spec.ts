import { eventually } from '@moothall/testing';
import { ObjectReader } from '../../src/git/objects/object-reader';
import { GitRunner } from '../../src/git/process/run-git';
import { git, makeEngine } from './build-repository';

const { engine, dispose } = makeEngine();
const repositories: { path: string; ids: string[] }[] = [];

beforeAll(async () => {
  await engine.start();
  for (let n = 0; n < 12; n++) {
    const path = await engine.storage.create(n);
    const write = (k: number) =>
      git(path, ['hash-object', '-w', '--stdin'], { input: `${n}-${k}`.repeat(1000) })
        .toString()
        .trim();
    repositories.push({ path, ids: [1, 2, 3].map(write) });
  }
});
afterAll(dispose);

it('serves many readers of many repositories within its bound', async () => {
  const reader = new ObjectReader(new GitRunner(), { maxProcesses: 3, cacheBytes: 1 });
  const reads = Array.from({ length: 600 }, (_, n) => {
    const { path, ids } = repositories[n % repositories.length]!;
    return reader.read(path, ids[n % ids.length]!).then((object) => {
      expect(reader.runningProcesses).toBeLessThanOrEqual(3);
      return object!.content.toString().startsWith(`${n % repositories.length}-`);
    });
  });
  expect((await Promise.all(reads)).every(Boolean)).toBe(true);
  reader.close();
  expect(reader.runningProcesses).toBe(0);
});

it('stops unused processes', async () => {
  const reader = new ObjectReader(new GitRunner(), { idleMs: 20 });
  await reader.info(repositories[0]!.path, repositories[0]!.ids[0]!);
  await eventually(() => reader.runningProcesses === 0, 'the end of the process');
  expect(await reader.info(repositories[0]!.path, repositories[0]!.ids[1]!)).not.toBeNull();
  reader.close();
});

it('sees objects and refs that others write while it runs', async () => {
  const { path, ids } = repositories[1]!;
  expect(await engine.objects.read(path, ids[0]!)).not.toBeNull();
  expect(await engine.objects.resolve(path, 'late')).toBeNull();
  const tree = git(path, ['mktree'], { input: `100644 blob ${ids[0]}\tf\n` })
    .toString()
    .trim();
  const commit = git(path, ['commit-tree', '-m', 'late', tree]).toString().trim();
  git(path, ['update-ref', 'refs/heads/late', commit]);
  expect(await engine.objects.resolve(path, 'late')).toBe(commit);
  git(path, ['pack-refs', '--all']);
  git(path, ['repack', '-q', '-a', '-d']);
  expect(await engine.objects.resolve(path, 'late')).toBe(commit);
  expect((await engine.objects.read(path, tree))!.type).toBe('tree');
});

describe('a ref', () => {
  let path: string;
  let commits: [string, string];
  beforeAll(async () => {
    path = await engine.storage.create('refs');
    const tree = git(path, ['mktree'], { input: '' }).toString().trim();
    commits = ['one', 'two'].map((text) => git(path, ['commit-tree', '-m', text, tree]).toString().trim()) as never;
  });
  const point = (name: string, to: string) => git(path, ['update-ref', name, to]);
  const resolve = (revision: string) => engine.objects.resolve(path, revision);

  it('is read where git has put it: in a file, packed, moved after it was packed, and deleted', async () => {
    point('refs/heads/moving', commits[0]);
    expect(await resolve('moving')).toBe(commits[0]);
    git(path, ['pack-refs', '--all']);
    expect(await resolve('moving')).toBe(commits[0]);
    point('refs/heads/moving', commits[1]);
    expect(await resolve('moving')).toBe(commits[1]);
    git(path, ['pack-refs', '--all']);
    expect(await resolve('moving')).toBe(commits[1]);
    git(path, ['update-ref', '-d', 'refs/heads/moving']);
    expect(await resolve('moving')).toBeNull();
  });

  it('is followed through HEAD and through tags of tags', async () => {
    point('refs/heads/trunk', commits[0]);
    git(path, ['symbolic-ref', 'HEAD', 'refs/heads/trunk']);
    expect(await resolve('HEAD')).toBe(commits[0]);
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    git(path, [...identity, 'tag', '-a', '-m', 'x', 'inner', commits[1]]);
    git(path, [...identity, 'tag', '-a', '-m', 'x', 'outer', 'inner']);
    expect(await resolve('outer')).toBe(commits[1]);
    git(path, ['symbolic-ref', 'HEAD', 'refs/heads/HEAD']);
    git(path, ['symbolic-ref', 'refs/heads/HEAD', 'HEAD']);
    expect(await resolve('HEAD')).toBeNull();
  });

  it.each(['trunk/below', 'heads', 'refs/heads', 'x'.repeat(300), 'config', 'refs/heads/trunk.lock'])(
    'named %s does not exist',
    async (name) => {
      expect(await resolve(name)).toBeNull();
    },
  );

  it('of a deleted repository: the error says that it was deleted', async () => {
    await expect(engine.objects.resolve(`${path}x`, 'main')).rejects.toMatchObject({ reason: 'repository_not_found' });
  });
});
