import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { git, gitText } from './git';
import { OwnServer } from './own-server';
import { main } from './start';
import { type Deed, SteadyLoad } from './steady-load';
import { until } from './until';

/*
 * A server under load is backed up, killed, and restored elsewhere. Writes acknowledged before the backup are there,
 * every record is complete, and unfinished work resumes.
 */

jest.setTimeout(540_000);

const work = mkdtempSync(path.join(tmpdir(), 'moothall-backup-'));
const backups = path.join(work, 'backups');
// The load has one caller, who must not wait for a free slot of its share.
const settings = { SLOW_REQUESTS_PER_CALLER: '1000', GIT_SHARE: '1000', STORAGE_MOVE_GRACE: '1' };
const server = new OwnServer(settings);
const restored = new OwnServer(settings, [], path.join(work, 'restored'));
const started: OwnServer[] = [];
const remotes = createServer();

afterAll(async () => {
  for (const one of started) await one.kill();
  remotes.close();
  for (const folder of [work, server.dataFolder]) rmSync(folder, { recursive: true, force: true });
});

/** Runs the command of an operator. @returns its output */
async function command(name: 'backup' | 'restore', where: string, dataFolder: string): Promise<string> {
  const file = path.join(path.dirname(main), 'backup/main.js');
  const env = { ...process.env, MOOTHALL_DATA_DIR: dataFolder };
  const { stdout } = await promisify(execFile)(process.execPath, [file, name, where], { env });
  return stdout;
}

interface Project {
  id: number;
  path_with_namespace: string;
}

const createProject = (name: string, more: object = {}) =>
  server.api('POST', '/projects', { name, initialize_with_readme: true, ...more }) as Promise<Project>;

/** Repeats an action, and collects the results. */
class Steady<T> {
  readonly done: T[] = [];
  private isEnding = false;
  private readonly working: Promise<void>;

  constructor(deed: (turn: number) => Promise<T>) {
    const run = async () => {
      for (let turn = 0; !this.isEnding; turn++) this.done.push(await deed(turn));
    };
    this.working = run();
    // Failures are reported at the end.
    this.working.catch(() => undefined);
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await this.working;
  }
}

/** A remote repository that does not answer until the test names its server. */
async function holdRemote(): Promise<{ url: string; isAsked: () => boolean; letThrough: (url: string) => void }> {
  const held: Socket[] = [];
  let forward = (socket: Socket): void => {
    held.push(socket);
  };
  remotes.on('connection', (socket) => {
    socket.on('error', () => undefined);
    forward(socket);
  });
  await new Promise<void>((resolve) => remotes.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(remotes.address() as AddressInfo).port}`,
    isAsked: () => held.length > 0,
    letThrough: (url) => {
      forward = (socket) => {
        const through = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => socket.destroy());
        socket.pipe(through).pipe(socket);
      };
      held.forEach(forward);
    },
  };
}

function remoteOf({ url, token }: OwnServer, { path_with_namespace }: Project): string {
  const remote = new URL(`${url}/${path_with_namespace}.git`);
  remote.username = 'root';
  remote.password = token;
  return remote.href;
}

/** Pushes a new branch with one commit and one file. */
async function pushBranch(clone: string, turn: number): Promise<{ branch: string; commit: string }> {
  const branch = `pushed-${turn}`;
  git(clone, ['checkout', '--quiet', '-B', branch, 'main']);
  writeFileSync(path.join(clone, `${branch}.bin`), randomBytes(50_000));
  git(clone, ['add', '.']);
  git(clone, ['commit', '--quiet', '-m', branch]);
  await promisify(execFile)('git', ['push', '--quiet', 'origin', branch], { cwd: clone });
  return { branch, commit: gitText(clone, ['rev-parse', 'HEAD']) };
}

async function upload(project: Project, turn: number): Promise<{ url: string; content: string }> {
  const content = `${turn} ${randomBytes(20_000).toString('hex')}`;
  const body = new FormData();
  body.set('file', new Blob([content]), 'file.txt');
  const headers = { 'private-token': server.token };
  const answer = await fetch(`${server.url}/api/v4/projects/${project.id}/uploads`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
  const { url } = (await answer.json()) as { url: string };
  return { url: `/projects/${project.id}${url}`, content };
}

async function moveBetweenStorages(project: Project, turn: number): Promise<void> {
  const moves = `/projects/${project.id}/repository_storage_moves`;
  const wanted = { destination_storage_name: turn % 2 === 0 ? 'second' : 'default' };
  const { id } = (await server.api('POST', moves, wanted)) as { id: number };
  await until(
    'the move',
    async () => ((await server.api('GET', `${moves}/${id}`)) as { state: string }).state === 'finished',
    120_000,
  );
}

async function everything<T>(on: OwnServer, list: string): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; ; page++) {
    const items = (await on.api('GET', `${list}?per_page=100&page=${page}`)) as T[];
    found.push(...items);
    if (items.length < 100) return found;
  }
}

const succeeds = (rest: string): Promise<boolean> =>
  restored.api('GET', rest).then(
    () => true,
    () => false,
  );

function repositoriesIn(dataFolder: string): string[] {
  // A storage without repositories has no files, and exists once the server has started.
  const storages = ['git', 'git-second'].filter((storage) => existsSync(path.join(dataFolder, storage)));
  return storages.flatMap((storage) =>
    readdirSync(path.join(dataFolder, storage), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.startsWith('@hashed') && name.endsWith('.git'))
      .map((name) => path.join(dataFolder, storage, name)),
  );
}

it('is restored from a backup that was created under load, with all writes acknowledged before it', async () => {
  await server.start();
  started.push(server);
  const [busy, mover, source] = await Promise.all([
    createProject('busy'),
    createProject('mover'),
    createProject('source', { visibility: 'public' }),
  ]);
  const doomed = await Promise.all(Array.from({ length: 20 }, (_, index) => createProject(`doomed-${index}`)));
  const issue = (await server.api('POST', `/projects/${busy.id}/issues`, { title: 'noted' })) as { iid: number };
  const clones = await Promise.all(
    [busy, mover].map(async (project) => {
      const clone = path.join(work, `clone-${project.id}`);
      await promisify(execFile)('git', ['clone', '--quiet', remoteOf(server, project), clone]);
      return clone;
    }),
  );
  const held = await holdRemote();
  await server.api('PUT', '/application/settings', { outbound_local_requests_whitelist: [new URL(held.url).host] });
  let tries = 0;
  const waiting = await until('the setting', () =>
    createProject(`waiting-${++tries}`, {
      initialize_with_readme: false,
      import_url: `${held.url}/${source.path_with_namespace}.git`,
    }).catch(() => undefined),
  );
  await until('the import', held.isAsked, 60_000);

  const create: Deed = { method: 'POST', path: `/projects/${busy.id}/issues`, body: (title) => ({ title }) };
  const note: Deed = { method: 'POST', path: `${create.path}/${issue.iid}/notes`, body: (body) => ({ body }) };
  const commit: Deed = {
    method: 'POST',
    path: `/projects/${busy.id}/repository/commits`,
    body: (key) => ({
      branch: `committed-${key}`,
      start_branch: 'main',
      commit_message: key,
      actions: [{ action: 'create', file_path: key, content: key }],
    }),
  };
  const repack: Deed = { method: 'POST', path: `/projects/${busy.id}/housekeeping` };
  const load = new SteadyLoad(server, [create, note, commit, repack], 3);
  const pushes = new Steady((turn) => pushBranch(clones[0]!, turn));
  const uploads = new Steady((turn) => upload(busy, turn));
  const moves = new Steady((turn) => moveBetweenStorages(mover, turn));
  const others = [pushes, uploads, moves];
  const isUnderWay = () => load.count > 30 && others.every(({ done }) => done.length > 1);
  await until('load', isUnderWay, 120_000);

  const first = await command('backup', backups, server.dataFolder);
  expect(first).toContain(' is the server as it was at ');
  const deleted = doomed.slice(0, 10);
  for (const { id } of deleted) await server.api('DELETE', `/projects/${id}`);
  const before = {
    keys: new Map([create, note, commit].map((deed) => [deed, [...load.done.get(deed)!]])),
    pushes: [...pushes.done],
    uploads: [...uploads.done],
  };
  // Projects that are deleted during the backup.
  const going = (async () => {
    for (const { id } of doomed.slice(10)) await server.api('DELETE', `/projects/${id}`);
  })();
  const second = await command('backup', backups, server.dataFolder);
  await going;
  const after = load.count;
  await until('load after the backup', () => load.count > after + 10, 60_000);
  await load.end();
  await Promise.all(others.map((one) => one.end()));
  expect(load.failures).toEqual([]);
  await server.kill();

  const [folder] = second.split(' ');
  expect(await command('restore', folder!, restored.dataFolder)).toContain('all as they were written');
  for (const repository of repositoriesIn(restored.dataFolder))
    git(repository, ['fsck', '--full', '--strict', '--no-dangling']);
  await restored.start();
  started.push(restored);

  const issues = await everything<{ title: string; iid: number; user_notes_count: number }>(restored, create.path);
  const notes = await everything<{ body: string; system: boolean }>(restored, `${create.path}/${issue.iid}/notes`);
  expect(issues.map(({ title }) => title)).toEqual(expect.arrayContaining(before.keys.get(create)!));
  expect(notes.map(({ body }) => body)).toEqual(expect.arrayContaining(before.keys.get(note)!));
  expect(issues.find(({ iid }) => iid === issue.iid)!.user_notes_count).toBe(
    notes.filter(({ system }) => !system).length,
  );
  await until(
    'the count of issues',
    async () => {
      const { open_issues_count } = (await restored.api('GET', `/projects/${busy.id}`)) as {
        open_issues_count: number;
      };
      return open_issues_count === issues.length;
    },
    60_000,
  );
  for (const key of before.keys.get(commit)!)
    await restored.api('GET', `/projects/${busy.id}/repository/files/${key}?ref=committed-${key}`);
  const branches = await everything<{ name: string; commit: { id: string } }>(
    restored,
    `/projects/${busy.id}/repository/branches`,
  );
  const tips = new Map(branches.map(({ name, commit: { id } }) => [name, id]));
  for (const { branch, commit: id } of before.pushes) expect([branch, tips.get(branch)]).toEqual([branch, id]);
  for (const { url, content } of before.uploads) {
    const headers = { 'private-token': restored.token };
    expect(await (await fetch(`${restored.url}/api/v4${url}`, { headers })).text()).toBe(content);
  }
  const projects = await everything<Project>(restored, '/projects');
  const gone = deleted.map(({ id }) => id);
  expect(projects.map(({ id }) => id).filter((id) => gone.includes(id))).toEqual([]);
  for (const { id } of projects.filter((project) => project.id !== waiting.id)) {
    const isRead = await succeeds(`/projects/${id}/repository/files/README.md?ref=main`);
    // A running deletion resumes.
    if (!isRead) await until('the end of the deletion', async () => !(await succeeds(`/projects/${id}`)), 60_000);
  }

  // Old and new work is completed.
  held.letThrough(restored.url);
  await until(
    'the import',
    async () =>
      ((await restored.api('GET', `/projects/${waiting.id}`)) as { import_status: string }).import_status ===
      'finished',
    180_000,
  );
  await restored.api('GET', `/projects/${waiting.id}/repository/files/README.md?ref=main`);
  git(clones[0]!, ['remote', 'set-url', 'origin', remoteOf(restored, busy)]);
  await pushBranch(clones[0]!, pushes.done.length);
  await restored.api('POST', create.path, { title: 'goes on' });
});
