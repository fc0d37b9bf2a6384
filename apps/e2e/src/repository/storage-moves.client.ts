import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newUser, root, uniqueName } from '../server/connection';
import { git, gitLines, gitText, remoteUrl } from '../server/git';
import { until } from '../server/until';

/* Storage moves under load: real git clients push, fetch and clone, and API clients read, all the time. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-moves-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs git asynchronously, so that many can run. @returns its exit code and output */
async function run(cwd: string, ...args: string[]): Promise<{ code: number; words: string }> {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_TERMINAL_PROMPT: '0' };
  const child = spawn('git', args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  child.stderr.on('data', (chunk) => (words += chunk));
  const [code] = await once(child, 'close');
  return { code, words };
}

function commitFile(clone: string, name: string, content: string | Buffer): string {
  writeFileSync(path.join(clone, name), content);
  git(clone, ['add', '.']);
  git(clone, ['commit', '--quiet', '-m', name]);
  return gitText(clone, ['rev-parse', 'HEAD']);
}

it('loses no push, and serves every read, while a repository moves there and back', async () => {
  const { client, username, token } = await newUser('mover');
  const project = await client.Projects.create({ name: uniqueName('project'), initializeWithReadme: true });
  const remote = remoteUrl(String(project.path_with_namespace), username, token);
  const clone = path.join(folder, 'pusher');
  git(folder, ['clone', '--quiet', remote, clone]);
  commitFile(clone, 'large.bin', randomBytes(20 << 20));
  git(clone, ['push', '--quiet', 'origin', 'main']);
  await client.ProjectWikis.create(project.id, 'Text', 'Home');

  let isMoving = true;
  const accepted: string[] = [];
  const refusals: string[] = [];
  async function push(): Promise<void> {
    for (let number = 0; isMoving; number++) {
      const id = commitFile(clone, `pushed-${number}.txt`, String(number));
      const { code, words } = await run(clone, 'push', '--quiet', 'origin', 'main');
      if (code === 0) accepted.push(id);
      else refusals.push(words);
    }
  }
  async function fetchAll(): Promise<void> {
    for (let number = 0; isMoving; number++) {
      const target = path.join(folder, `clone-${number}`);
      expect(await run(folder, 'clone', '--quiet', remote, target)).toEqual({ code: 0, words: '' });
      rmSync(target, { recursive: true });
    }
  }
  let reads = 0;
  async function read(): Promise<void> {
    while (isMoving) {
      const [readme, page] = await Promise.all([
        client.RepositoryFiles.showRaw(project.id, 'README.md', 'main'),
        client.ProjectWikis.show(project.id, 'Home'),
      ]);
      expect(String(readme)).toContain('# project');
      expect(page.content).toBe('Text');
      reads++;
    }
  }
  async function moveThereAndBack(): Promise<void> {
    for (const destination of ['second', 'default']) {
      const options = { projectId: project.id, destinationStorageName: destination };
      const { id } = await root.ProjectRepositoryStorageMoves.schedule('', options);
      await until('the end of the move', async () => {
        const { state } = await root.ProjectRepositoryStorageMoves.show(id, { projectId: project.id });
        expect(String(state)).not.toMatch(/failed/);
        return state === 'finished';
      });
      expect((await root.Projects.show(project.id)).repository_storage).toBe(destination);
    }
  }
  /** During the first two moves a busy machine may push and read too little. */
  async function move(): Promise<void> {
    const isEnough = () => accepted.length > 5 && reads > 10;
    for (let round = 0; round < 5 && isMoving && !isEnough(); round++) await moveThereAndBack();
  }
  // If one fails, the others stop too: other tests use this server.
  const stopAll = () => {
    isMoving = false;
  };

  await Promise.all([push, fetchAll, read, move].map((part) => part().finally(stopAll)));
  for (const words of refusals) expect(words).toMatch(/read-only|403|503/);
  expect(accepted.length).toBeGreaterThan(5);
  expect(reads).toBeGreaterThan(10);
  const after = path.join(folder, 'after');
  git(folder, ['clone', '--quiet', remote, after]);
  expect(gitLines(after, ['rev-list', 'HEAD'])).toEqual(expect.arrayContaining(accepted));
  gitText(after, ['fsck', '--strict']);
}, 300_000);
