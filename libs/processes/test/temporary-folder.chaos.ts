import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identifyProcess, removeAbandonedFolders, removeTemporaryFolder, temporaryFolder, writePidFile } from '../src';

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** A process that does nothing until it is stopped. */
async function idle(): Promise<number> {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return child.pid!;
}

it('is accessible to this user only, until it is removed', async () => {
  const folder = temporaryFolder('test-one');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  await removeAbandonedFolders();
  expect(existsSync(folder)).toBe(true);
  await removeTemporaryFolder(folder);
  expect(existsSync(folder)).toBe(false);
});

// A killed test leaves neither folders nor processes.
it('is swept after its process was killed, with the programs that were noted down in it', async () => {
  const folder = temporaryFolder('test-two');
  const [owner, program, deeper, deepest] = [await idle(), await idle(), await idle(), await idle()];
  mkdirSync(path.join(folder, 'moothall-of-a-child', 'run'), { recursive: true });
  mkdirSync(path.join(folder, 'run'));
  writePidFile(path.join(folder, 'moothall-of-a-child/owner.pid'), deepest);
  writePidFile(path.join(folder, 'moothall-of-a-child/run/mongod.pid'), deepest);
  writePidFile(path.join(folder, 'owner.pid'), owner);
  writePidFile(path.join(folder, 'redis.pid'), program);
  writePidFile(path.join(folder, 'run/nats.pid'), deeper);
  await removeAbandonedFolders();
  expect(existsSync(folder)).toBe(true);
  const ended = once(children[0]!, 'exit');
  process.kill(owner, 'SIGKILL');
  await ended;
  await removeAbandonedFolders();
  expect(existsSync(folder)).toBe(false);
  expect([program, deeper, deepest].map(identifyProcess)).toEqual([undefined, undefined, undefined]);
});

it('is kept while it has no recorded owner', async () => {
  const folder = temporaryFolder('test-three');
  writeFileSync(path.join(folder, 'keep'), '');
  await removeAbandonedFolders();
  expect(existsSync(path.join(folder, 'keep'))).toBe(true);
  await removeTemporaryFolder(folder);
});
