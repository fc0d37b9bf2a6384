import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { below } from './below';
import { git, gitText } from './git';
import { OwnServer } from './own-server';

// A server is started twice.
jest.setTimeout(180_000);

const server = new OwnServer();
const work = mkdtempSync(path.join(tmpdir(), 'moothall-crash-'));

/** Acknowledged before the kill. */
const made: number[] = [];
let pushed: string;
let before: string;

/* Every process is killed during a push. */
beforeAll(async () => {
  await server.start();
  git(work, ['init', '--quiet', '--initial-branch=main']);
  await server.api('POST', '/projects', { name: 'kept' });
  pushed = commitFile('a.txt', 'a\n');
  git(work, ['push', '--quiet', remote('kept'), 'main']);
  await server.api('POST', '/projects', { name: 'half' });
  before = commitFile('b.txt', 'b\n');
  git(work, ['push', '--quiet', remote('half'), 'main']);
  commitFile('large.bin', randomBytes(64 << 20));
  for (let index = 0; index < 30; index++) {
    const project = (await server.api('POST', '/projects', { name: `p-${index}` })) as { id: number };
    made.push(project.id);
  }
  const push = spawn('git', ['push', '--quiet', remote('half'), 'main'], { cwd: work, stdio: 'ignore' });
  const ended = once(push, 'exit');
  await untilPackArrives(server.dataFolder);
  await server.kill();
  await ended;
  await server.start();
});
afterAll(async () => {
  await server.stop();
  rmSync(work, { recursive: true, force: true });
});

const remote = (name: string): string => {
  const url = new URL(`${server.url}/root/${name}.git`);
  url.username = 'root';
  url.password = server.token;
  return url.href;
};

function commitFile(name: string, content: string | Buffer): string {
  writeFileSync(path.join(work, name), content);
  git(work, ['add', '.']);
  git(work, ['commit', '--quiet', '-m', name]);
  return gitText(work, ['rev-parse', 'HEAD']);
}

it('loses nothing that was acknowledged when every process is killed', async () => {
  for (const id of made) expect(await server.api('GET', `/projects/${id}`)).toMatchObject({ id });
  expect(await server.api('GET', '/projects/root%2Fkept/repository/commits')).toMatchObject([{ id: pushed }]);
  const again = (await server.api('POST', '/projects', { name: 'after' })) as { id: number };
  expect(made).not.toContain(again.id);
});

it('does not change a repository when a push is killed in the middle', async () => {
  expect(await server.api('GET', '/projects/root%2Fhalf/repository/branches/main')).toMatchObject({
    commit: { id: before },
  });
  git(work, ['push', '--quiet', remote('half'), 'main']);
  expect(await server.api('GET', '/projects/root%2Fhalf/repository/branches/main')).toMatchObject({
    commit: { id: gitText(work, ['rev-parse', 'HEAD']) },
  });
});

/** Git stores received objects in a quarantine folder until the push is complete. */
async function untilPackArrives(dataFolder: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!below(dataFolder).some((name) => name.includes('tmp_objdir-incoming'))) {
    if (Date.now() > deadline) throw new Error('the push never began');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
