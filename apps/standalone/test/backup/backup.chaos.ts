import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { SmallDisk } from '@moothall/testing';
import { Redis } from 'ioredis';
import { mailQueues } from '../../src/backup/waiting-mails';
import { type Connection, ServerUnderTest, until } from '../server-under-test';

jest.setTimeout(240_000);

const dist = path.resolve(__dirname, '../../dist');
const embedded = { MONGODB_ENGINE: 'embedded', PROCESSES: '2' };

/* Refusals of backup and restore, and the state after interruptions. apps/e2e tests them under load. */
describe('npm run backup and restore', () => {
  let server: ServerUnderTest;
  let connection: Connection;
  let work: string;
  let backup: string;
  beforeAll(async () => {
    work = temporaryFolder('backups');
    server = await ServerUnderTest.on(path.join(dist, 'main.js'));
    connection = await server.start(embedded);
    // More than fits on the small disk.
    mkdirSync(path.join(server.dataFolder, 'objects', 'projects'), { recursive: true });
    writeFileSync(path.join(server.dataFolder, 'objects', 'projects', 'file'), Buffer.alloc(16 << 20, 'x'));
    const { stdout } = await run('backup', inside('backups'));
    backup = stdout.split(' ')[0]!;
  });
  afterAll(async () => {
    await server.remove();
    await removeTemporaryFolder(work);
  });

  const inside = (...names: string[]) => path.join(work, ...names);
  const main = path.join(dist, 'backup/main.js');
  const environment = (dataFolder: string, more: Record<string, string> = {}) => ({
    ...process.env,
    MOOTHALL_DATA_DIR: dataFolder,
    ...more,
  });

  function run(
    command: string,
    where: string,
    dataFolder = server.dataFolder,
    more: Record<string, string> = {},
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        [main, command, where],
        { env: environment(dataFolder, more) },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
      );
    });
  }

  /** @returns the message of the refusal */
  async function refusal(...args: Parameters<typeof run>): Promise<string> {
    const { code, stderr } = await run(...args);
    expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
    return stderr;
  }

  it('refuses a folder with other content, one in the data folder, and a server that does not run', async () => {
    mkdirSync(inside('photos'));
    writeFileSync(inside('photos', 'cat.jpg'), '');
    expect(await refusal('backup', inside('photos'))).toMatch(/has cat\.jpg in it, which is no backup/);
    expect(readdirSync(inside('photos'))).toEqual(['cat.jpg']);
    expect(await refusal('backup', path.join(server.dataFolder, 'backups'))).toMatch(/is in the data folder/);
    expect(await refusal('backup', inside('b'), inside('nothing'))).toMatch(/^No server runs on/);
    expect(existsSync(inside('b'))).toBe(false);
    const { code, stdout } = await run('backup', '--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('npm run backup -- <folder of backups>')]);
  });

  it('refuses a data folder with something in it, and one on which a server runs', async () => {
    mkdirSync(inside('documents'));
    writeFileSync(inside('documents', 'letter.txt'), '');
    expect(await refusal('restore', backup, inside('documents'))).toMatch(/documents is not empty/);
    expect(readdirSync(inside('documents'))).toEqual(['letter.txt']);
    expect(await refusal('restore', backup)).toMatch(/^Process \d+ already uses the data folder/);
    expect(await refusal('restore', inside('documents'), inside('new'))).toMatch(
      /is no backup: it has no backup\.json/,
    );
  });

  it('refuses a backup with a changed byte, and restores nothing of it', async () => {
    for (const [name, damage] of [
      ['database/data.mdb', (file: string) => appendFileSync(file, 'x')],
      ['secrets.json', (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('a', 'b'))],
      ['files.jsonl', (file: string) => appendFileSync(file, '{"path":"more","mode":384}\n')],
      ['events.jsonl', (file: string) => rmSync(file)],
    ] as const) {
      rmSync(inside('damaged'), { recursive: true, force: true });
      cpSync(backup, inside('damaged'), { recursive: true });
      damage(inside('damaged', name));
      const words = await refusal('restore', inside('damaged'), inside('of-damaged'));
      expect(words).toMatch(/is damaged: /);
      expect(words).toContain(name);
      const left = existsSync(inside('of-damaged')) ? readdirSync(inside('of-damaged')) : [];
      expect(left.filter((one) => one !== 'run')).toEqual([]);
    }
  });

  it('leaves no complete-looking partial backup when it is killed, and removes it the next time', async () => {
    // Large enough for a kill in the middle.
    const large = path.join(server.dataFolder, 'objects', 'projects', 'large');
    writeFileSync(large, Buffer.alloc(200 << 20, 'x'));
    const child = spawn(process.execPath, [main, 'backup', inside('killed')], { env: environment(server.dataFolder) });
    const exited = once(child, 'exit');
    const drafts = () =>
      (existsSync(inside('killed')) ? readdirSync(inside('killed')) : []).filter((name) => /\.draft$/.test(name));
    await until(() => drafts().some((name) => existsSync(inside('killed', name, 'objects'))));
    child.kill('SIGKILL');
    await exited;
    const [draft] = drafts();
    expect(await refusal('restore', inside('killed', draft!), inside('of-killed'))).toMatch(/is no backup/);
    expect((await run('backup', inside('killed'))).code).toBe(0);
    expect(drafts()).toEqual([]);
    rmSync(large);
  });

  it('prints one line on a full disk, and leaves nothing there', async () => {
    let disk: SmallDisk;
    try {
      disk = SmallDisk.mount(2);
    } catch {
      // Without permission to mount there is no small disk.
      return;
    }
    try {
      expect(await refusal('backup', path.join(disk.folder, 'backups'))).toMatch(/^The disk is full/);
      expect(readdirSync(path.join(disk.folder, 'backups'))).toEqual([]);
      expect(await refusal('restore', backup, path.join(disk.folder, 'data'))).toMatch(/^The disk is full/);
      expect(readdirSync(path.join(disk.folder, 'data')).filter((name) => name !== 'run')).toEqual([]);
    } finally {
      disk.unmount();
    }
  });

  it('refuses to start on an interrupted restore, and restarts it', async () => {
    const target = inside('cut-off');
    for (const name of ['git', 'run']) mkdirSync(path.join(target, name), { recursive: true });
    writeFileSync(path.join(target, 'git', 'half'), '');
    writeFileSync(path.join(target, 'restoring.json'), JSON.stringify({ folders: [] }));
    const half = await ServerUnderTest.on(path.join(dist, 'main.js'));
    half.launch({ ...embedded, MOOTHALL_DATA_DIR: target });
    expect(await half.untilExit()).toBe(1);
    expect(half.output).toContain('is not there as a whole: run `npm run restore` again');
    expect(await run('restore', backup, target)).toMatchObject({ code: 0 });
    half.launch({ ...embedded, MOOTHALL_DATA_DIR: target });
    await until(() => existsSync(path.join(target, 'connection.json')));
    const restored = JSON.parse(readFileSync(path.join(target, 'connection.json'), 'utf8')) as Connection;
    const user = await fetch(`${restored.url}/api/v4/user`, { headers: { 'private-token': connection.token } });
    expect(await user.json()).toMatchObject({ username: 'root' });
    expect(existsSync(path.join(target, 'git', 'half'))).toBe(false);
    expect(existsSync(path.join(target, 'untold-events.jsonl'))).toBe(false);
    expect(statSync(path.join(target, 'secrets.json')).mode & 0o777).toBe(0o600);
    await half.stop();
    await half.remove();
  });

  it('has the mails that wait for a mail server, and a restored server sends them', async () => {
    const away = await ServerUnderTest.on(path.join(dist, 'main.js'));
    try {
      const { url, token, redis_url } = await away.start({ ...embedded, SMTP_URL: 'smtp://127.0.0.1:1' });
      const ada = { username: 'ada', name: 'Ada', email: 'ada@example.com', reset_password: true };
      const answer = await fetch(`${url}/api/v4/users`, {
        method: 'POST',
        headers: { 'private-token': token, 'content-type': 'application/json' },
        body: JSON.stringify(ada),
      });
      expect(answer.status).toBe(201);
      const redis = new Redis(redis_url);
      // Mails to confirm the address, and to choose a password.
      await until(async () => (await redis.zcard('moothall:identity.account-mails:delayed')) === 2);
      redis.disconnect();
      const { code, stdout } = await run('backup', inside('with-mails'), away.dataFolder);
      expect(code).toBe(0);
      expect(await run('restore', stdout.split(' ')[0]!, inside('mailing'))).toMatchObject({ code: 0 });
      await away.stop();
      // Without a mail server a mail is a file.
      away.launch({ ...embedded, MOOTHALL_DATA_DIR: inside('mailing') });
      const folder = inside('mailing', 'mail');
      const mails = () => (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith('.eml'));
      await until(() => mails().length === 2);
      for (const mail of mails())
        expect(readFileSync(path.join(folder, mail), 'utf8')).toMatch(/^To: ada@example\.com$/m);
      expect(existsSync(inside('mailing', 'waiting-mails.jsonl'))).toBe(false);
    } finally {
      await away.remove();
    }
  });

  it('contains all queues with waiting mails', () => {
    const apps = path.resolve(__dirname, '../../..');
    const files = readdirSync(apps, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^\w+\/src\/.*(?<!\.spec)\.tsx?$/.test(file),
    );
    const texts = files.map((file) => readFileSync(path.join(apps, file), 'utf8'));
    const named = texts.flatMap((text) => [...text.matchAll(/jobQueue(?:<.*>)?\(\{\s*name: '([\w.-]*mails)'/g)]);
    expect(named.map(([, name]) => name).sort()).toEqual(mailQueues);
  });

  it('restores storages to GIT_STORAGES, and prints missing ones', async () => {
    const one = { GIT_STORAGES: `default=${inside('disk', 'git')}` };
    expect(await refusal('restore', backup, inside('one'), one)).toMatch(/has a storage second: set GIT_STORAGES/);
    const two = { GIT_STORAGES: `${one.GIT_STORAGES},second=${inside('disk', 'second')}` };
    mkdirSync(inside('disk', 'git'), { recursive: true });
    writeFileSync(inside('disk', 'git', 'mine'), '');
    expect(await refusal('restore', backup, inside('two'), two)).toMatch(/disk\/git is not empty/);
    rmSync(inside('disk', 'git', 'mine'));
    expect(await run('restore', backup, inside('two'), two)).toMatchObject({ code: 0 });
  });
});
