import { execFileSync } from 'node:child_process';
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
/** The cat-file processes of this process on a repository. */
function processesOn(path: string): number[] {
  const list = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)]).toString();
  return list
    .split('\n')
    .filter((line) => line.includes(`--git-dir=${path} cat-file`))
    .map((line) => Number.parseInt(line, 10));
}

it('recovers when a process is killed during requests', async () => {
  const reader = new ObjectReader(new GitRunner(), { cacheBytes: 1, maxProcessesPerRepository: 1 });
  const { path, ids } = repositories[0]!;
  await reader.read(path, ids[0]!);
  const [victim] = processesOn(path);
  const reads = Array.from({ length: 50 }, (_, n) => reader.read(path, ids[n % 3]!));
  process.kill(victim!, 'SIGKILL');
  expect((await Promise.all(reads)).every((object) => object?.type === 'blob')).toBe(true);
  reader.close();
});
