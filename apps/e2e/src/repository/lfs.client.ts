import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ask, connection, newUser, root, uniqueName } from '../server/connection';
import { git, gitText, remoteUrl } from '../server/git';
import { until } from '../server/until';
import { lfsClient } from './lfs-client';
import { makeSshKey } from './ssh-key';

/* Git LFS with its own client, and raw requests that it never sends. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-lfs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { itWithClient, env, cloneOf, commit } = lfsClient(folder);
const type = 'application/vnd.git-lfs+json';
const oidOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

type User = Awaited<ReturnType<typeof newUser>>;

async function newProject(owner?: User) {
  const user = owner ?? (await newUser('lfs'));
  const project = await user.client.Projects.create({
    name: uniqueName('project'),
    initializeWithReadme: true,
    visibility: 'private',
  });
  return { user, project };
}
type Project = Awaited<ReturnType<typeof newProject>>['project'];

const urlFor = ({ path_with_namespace }: Project, user: User) =>
  remoteUrl(path_with_namespace, user.username, user.token);

interface Batch {
  objects: {
    oid: string;
    size: number;
    error?: { code: number; message: string };
    actions?: Record<string, { href: string; header: Record<string, string> }>;
  }[];
}

const basic = ({ username, token }: Pick<User, 'username' | 'token'>) =>
  `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;

/** Sends a raw request. @returns status and body */
async function lfs(project: Project, rest: string, authorization: string | undefined, body?: unknown, method = 'POST') {
  const response = await ask(`/${project.path_with_namespace}.git/info/lfs/${rest}`, {
    method,
    headers: { accept: type, 'content-type': type, ...(authorization && { authorization }) },
    ...(method !== 'GET' && { body: body instanceof Buffer ? body : JSON.stringify(body ?? {}) }),
  });
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  if (!response.ok) expect(response.headers.get('content-type')).toBe(type);
  return { status: response.status, body: text && JSON.parse(text), headers: response.headers };
}

async function send(project: Project, user: User, content: Buffer | string): Promise<number> {
  const bytes = Buffer.from(content);
  return (await lfs(project, `objects/${oidOf(bytes)}/${bytes.length}`, basic(user), bytes, 'PUT')).status;
}

const download = async (project: Project, authorization: string, ...contents: string[]) => {
  const objects = contents.map((content) => ({ oid: oidOf(content), size: content.length }));
  return (await lfs(project, 'objects/batch', authorization, { operation: 'download', objects })).body as Batch;
};

describe('over HTTP', () => {
  itWithClient(
    'goes up with a push and comes back with a clone',
    async () => {
      const { user, project } = await newProject();
      const url = urlFor(project, user);
      const clone = cloneOf(url);
      const content = randomBytes(3 * 1024 ** 2);
      commit(clone, { 'a.bin': content, 'b.bin': Buffer.from('small'), 'same.bin': content });
      git(clone, ['push', '--quiet', 'origin', 'HEAD'], env);
      const copy = cloneOf(url);
      expect(readFileSync(path.join(copy, 'a.bin')).equals(content)).toBe(true);
      expect(readFileSync(path.join(copy, 'b.bin'), 'utf8')).toBe('small');
      // Git contains pointers.
      expect(gitText(copy, ['cat-file', '-p', 'HEAD:a.bin'])).toContain(`oid sha256:${oidOf(content)}`);
      const bytes = content.length + 5;
      const { statistics } = await user.client.Projects.show(project.id, { statistics: true });
      expect(statistics).toMatchObject({ lfs_objects_size: bytes });
      expect(Number(statistics.storage_size)).toBeGreaterThan(bytes);
      // Existing objects are not sent again: git-lfs reports each transfer.
      const again = spawnSync('git', ['lfs', 'push', '--all', 'origin'], {
        ...{ cwd: copy, encoding: 'utf8' },
        env: { ...process.env, ...env, GIT_TRACE: '1' },
      });
      expect([again.status, again.stderr.match(/HTTP: PUT .*/g)]).toEqual([0, null]);
      expect(again.stderr).toContain('HTTP: POST ');
    },
    120_000,
  );

  itWithClient(
    'asks for credentials in the form git-lfs expects, and gives nothing to other callers',
    async () => {
      const { user, project } = await newProject();
      const clone = cloneOf(urlFor(project, user));
      commit(clone, { 'a.bin': Buffer.from('secret') });
      git(clone, ['push', '--quiet', 'origin', 'HEAD'], env);
      const stranger = await newUser('stranger');
      git(clone, ['remote', 'set-url', 'origin', urlFor(project, stranger)]);
      expect(() => git(clone, ['lfs', 'push', '--all', 'origin'], env)).toThrow(/could not be found or you don't have/);
    },
    120_000,
  );

  itWithClient(
    'locks, shows and gives back files, and refuses pushes of those that others hold',
    async () => {
      const { user, project } = await newProject();
      const colleague = await newUser('colleague');
      await user.client.ProjectMembers.add(project.id, 30, { userId: colleague.id });
      const clone = cloneOf(urlFor(project, user));
      commit(clone, { 'a.bin': Buffer.from('one') });
      git(clone, ['push', '--quiet', 'origin', 'HEAD'], env);
      git(clone, ['lfs', 'lock', 'a.bin'], env);
      const theirs = cloneOf(urlFor(project, colleague));
      expect(gitText(theirs, ['lfs', 'locks'])).toMatch(/a\.bin\s+The lfs/);
      const tries = (command: string[]) => () => git(theirs, ['lfs', ...command], env);
      expect(tries(['lock', 'a.bin'])).toThrow(/already created lock/);
      expect(tries(['unlock', 'a.bin'])).toThrow(/lock belongs to another user|locked by/i);
      expect(tries(['unlock', '--force', 'a.bin'])).toThrow(/Only maintainers/);
      git(theirs, ['config', 'lfs.locksverify', 'true']);
      git(theirs, ['checkout', '--quiet', '-b', 'topic']);
      execFileSync('chmod', ['u+w', path.join(theirs, 'a.bin')]);
      commit(theirs, { 'a.bin': Buffer.from('two') });
      expect(() => git(theirs, ['push', 'origin', 'topic'], env)).toThrow(/Cannot update locked files/);
      git(clone, ['lfs', 'unlock', 'a.bin'], env);
      git(theirs, ['push', '--quiet', 'origin', 'topic'], env);
      git(theirs, ['lfs', 'lock', 'a.bin'], env);
      git(clone, ['lfs', 'unlock', '--force', 'a.bin'], env);
      expect(gitText(clone, ['lfs', 'locks'])).toBe('');
    },
    120_000,
  );
});

describe('in mirrors', () => {
  itWithClient(
    'goes along with a push over HTTP',
    async () => {
      const { user, project } = await newProject();
      const clone = cloneOf(urlFor(project, user));
      const content = randomBytes(1024 ** 2);
      commit(clone, { 'a.bin': content });
      git(clone, ['push', '--quiet', 'origin', 'HEAD'], env);
      const target = await user.client.Projects.create({ name: uniqueName('target') });
      const there = { enabled: true };
      const made = await user.client.ProjectRemoteMirrors.createPushMirror(project.id, urlFor(target, user), there);
      const mirrored = () =>
        until('the mirror', async () => {
          const mirror = await user.client.ProjectRemoteMirrors.show(project.id, made.id);
          // Its status may already be that of the next push, started by a late event.
          return mirror.last_update_at ? mirror : undefined;
        });
      expect(await mirrored()).toMatchObject({ last_error: null, last_successful_update_at: expect.any(String) });
      const copy = cloneOf(urlFor(target, user));
      expect(readFileSync(path.join(copy, 'a.bin')).equals(content)).toBe(true);

      // A target that accepts no objects reports it, but has the commits.
      const without = await user.client.Projects.create({ name: uniqueName('without'), lfsEnabled: false });
      const other = await user.client.ProjectRemoteMirrors.createPushMirror(project.id, urlFor(without, user), there);
      const refused = await until('the other mirror', async () => {
        const mirror = await user.client.ProjectRemoteMirrors.show(project.id, other.id);
        return mirror.last_update_at ? mirror : undefined;
      });
      expect(refused.update_status).toMatch(/^(to_retry|scheduled)$/);
      expect(refused.last_error).toMatch(/^Git LFS: the other server answers 403/);
      expect((await user.client.Branches.show(without.id, 'main')).name).toBe('main');
    },
    120_000,
  );

  itWithClient(
    'goes along with a push over SSH, by the key of the mirror',
    async () => {
      const { user, project } = await newProject();
      const clone = cloneOf(urlFor(project, user));
      const content = randomBytes(1024 ** 2);
      commit(clone, { 'a.bin': content });
      git(clone, ['push', '--quiet', 'origin', 'HEAD'], env);
      const mirrorTo = async (target: Project) => {
        const made = await user.client.ProjectRemoteMirrors.createPushMirror(project.id, target.ssh_url_to_repo);
        const answer = await ask(`/api/v4/projects/${project.id}/remote_mirrors/${made.id}/public_key`, user);
        const { public_key } = (await answer.json()) as { public_key: string };
        await user.client.DeployKeys.create(target.id, 'mirror', public_key, { canPush: true });
        await user.client.ProjectRemoteMirrors.edit(project.id, made.id, { enabled: true });
        return until('the mirror', async () => {
          const mirror = await user.client.ProjectRemoteMirrors.show(project.id, made.id);
          // Its status may already be that of the next push, started by a late event.
          return mirror.last_update_at ? mirror : undefined;
        });
      };
      const target = await user.client.Projects.create({ name: uniqueName('target') });
      const succeeded = { last_error: null, last_successful_update_at: expect.any(String) };
      expect(await mirrorTo(target)).toMatchObject(succeeded);
      const copy = cloneOf(urlFor(target, user));
      expect(readFileSync(path.join(copy, 'a.bin')).equals(content)).toBe(true);

      const without = await user.client.Projects.create({ name: uniqueName('without'), lfsEnabled: false });
      const refused = await mirrorTo(without);
      expect(refused).toMatchObject({ update_status: 'to_retry', last_error: expect.stringMatching(/^Git LFS: /) });
      expect((await user.client.Branches.show(without.id, 'main')).name).toBe('main');
    },
    120_000,
  );
});

describe('over SSH', () => {
  async function withKey(user: User) {
    const key = makeSshKey(folder, uniqueName('key'));
    await user.client.UserSSHKeys.create('laptop', key.publicKey);
    return key;
  }

  itWithClient(
    'goes up and comes back with the credential that a key is given',
    async () => {
      const { user, project } = await newProject();
      const key = await withKey(user);
      const clone = cloneOf(project.ssh_url_to_repo, key.env);
      const content = randomBytes(100_000);
      commit(clone, { 'a.bin': content });
      git(clone, ['push', '--quiet', 'origin', 'HEAD'], { ...env, ...key.env });
      git(clone, ['lfs', 'lock', 'a.bin'], { ...env, ...key.env });
      git(clone, ['lfs', 'unlock', 'a.bin'], { ...env, ...key.env });
      const copy = cloneOf(project.ssh_url_to_repo, key.env);
      expect(readFileSync(path.join(copy, 'a.bin')).equals(content)).toBe(true);
    },
    120_000,
  );

  itWithClient(
    'gives to a deploy key what it opens, and takes what it may push',
    async () => {
      const { user, project } = await newProject();
      const clone = cloneOf(urlFor(project, user));
      commit(clone, { 'a.bin': Buffer.from('one') });
      git(clone, ['push', '--quiet', 'origin', 'HEAD'], env);
      const reading = makeSshKey(folder, uniqueName('key'));
      const writing = makeSshKey(folder, uniqueName('key'));
      await user.client.DeployKeys.create(project.id, 'ci', reading.publicKey);
      await user.client.DeployKeys.create(project.id, 'release', writing.publicKey, { canPush: true });
      const copy = cloneOf(project.ssh_url_to_repo, reading.env);
      expect(readFileSync(path.join(copy, 'a.bin'), 'utf8')).toBe('one');
      git(copy, ['checkout', '--quiet', '-b', 'topic']);
      commit(copy, { 'c.bin': Buffer.from('three') });
      const push = (key: typeof reading) => () => git(copy, ['push', 'origin', 'topic'], { ...env, ...key.env });
      expect(push(reading)).toThrow(/not allowed|permission/);
      push(writing)();
      expect(existsSync(path.join(copy, '.git/lfs'))).toBe(true);
    },
    120_000,
  );

  it('end with the key, and are valid for their project and operation only', async () => {
    const { user, project } = await newProject();
    const { project: other } = await newProject(user);
    const key = await withKey(user);
    await send(project, user, 'bytes');
    const ssh = (words: string) => {
      const url = new URL(project.ssh_url_to_repo);
      const command = `${key.env.GIT_SSH_COMMAND} -p ${url.port} git@${url.hostname} "git-lfs-authenticate '${project.path_with_namespace}.git' ${words}"`;
      return JSON.parse(execFileSync('sh', ['-c', command], { stdio: 'pipe' }).toString());
    };
    const given = ssh('download');
    expect(given).toMatchObject({
      href: `${connection.url}/${project.path_with_namespace}.git/info/lfs`,
      expires_in: expect.any(Number),
    });
    const { Authorization } = given.header;
    expect((await download(project, Authorization, 'bytes')).objects[0]!.actions!.download!.header).toEqual({
      Authorization,
    });
    const put = `objects/${oidOf('new')}/3`;
    expect((await lfs(project, put, Authorization, Buffer.from('new'), 'PUT')).status).toBe(403);
    expect((await lfs(project, put, ssh('upload').header.Authorization, Buffer.from('new'), 'PUT')).status).toBe(200);
    expect((await lfs(other, 'locks', Authorization, undefined, 'GET')).status).toBe(404);
    expect((await lfs(project, 'locks', `${Authorization}x`, undefined, 'GET')).status).toBe(401);
    const [own] = await user.client.UserSSHKeys.all();
    await user.client.UserSSHKeys.remove(own!.id);
    expect((await lfs(project, 'locks', Authorization, undefined, 'GET')).status).toBe(401);
  });
});

describe('an object', () => {
  it('is refused with other, more or fewer bytes, and stores nothing', async () => {
    const { user, project } = await newProject();
    const put = (oid: string, size: number, bytes: string) =>
      lfs(project, `objects/${oid}/${size}`, basic(user), Buffer.from(bytes), 'PUT');
    const oid = oidOf('right');
    expect((await put(oid, 5, 'wrong')).body.message).toMatch(/SHA-256/);
    expect((await put(oid, 5, 'wrong')).status).toBe(422);
    expect((await put(oid, 6, 'right')).status).toBe(422);
    expect((await put(oid, 4, 'right')).status).toBe(422);
    expect((await download(project, basic(user), 'right')).objects[0]!.error).toMatchObject({ code: 404 });
    const verify = (size: number) => lfs(project, 'objects/verify', basic(user), { oid, size });
    expect((await verify(5)).status).toBe(404);
    expect((await put(oid, 5, 'right')).status).toBe(200);
    expect([(await verify(5)).status, (await verify(6)).status]).toEqual([200, 422]);
    const { statistics } = await user.client.Projects.show(project.id, { statistics: true });
    expect(statistics).toMatchObject({ lfs_objects_size: 5 });
  });

  it('is not readable by its name alone', async () => {
    const { user, project } = await newProject();
    await send(project, user, 'secret');
    const thief = await newProject();
    const name = { oid: oidOf('secret'), size: 6 };
    const batch = async (operation: string) =>
      (await lfs(thief.project, 'objects/batch', basic(thief.user), { operation, objects: [name] })).body as Batch;
    expect((await batch('download')).objects[0]!.error).toMatchObject({ code: 404 });
    // It counts as missing: it is to be uploaded.
    expect((await batch('upload')).objects[0]!.actions).toHaveProperty('upload');
    expect((await lfs(thief.project, `objects/${name.oid}`, basic(thief.user), undefined, 'GET')).status).toBe(404);
    expect((await lfs(project, `objects/${name.oid}`, basic(thief.user), undefined, 'GET')).status).toBe(404);
    expect((await lfs(thief.project, 'objects/verify', basic(thief.user), name)).status).toBe(404);
  });

  it('is in forks, also after their source was deleted', async () => {
    const { user, project } = await newProject();
    await send(project, user, 'shared');
    const fork = await user.client.Projects.fork(project.id, { path: uniqueName('fork'), name: uniqueName('fork') });
    const { statistics } = await user.client.Projects.show(fork.id, { statistics: true });
    expect(statistics).toMatchObject({ lfs_objects_size: 6 });
    await user.client.Projects.remove(project.id);
    await until(
      'the end of the project',
      async () => (await ask(`/api/v4/projects/${project.id}`, user)).status === 404,
    );
    const [object] = (await download(fork as Project, basic(user), 'shared')).objects;
    const { href, header } = object!.actions!.download!;
    expect(await (await fetch(href, { headers: header })).text()).toBe('shared');
  });

  it('is stored once under concurrent uploads', async () => {
    const { user, project } = await newProject();
    const sent = await Promise.all(Array.from({ length: 6 }, () => send(project, user, 'the same')));
    expect(new Set(sent)).toEqual(new Set([200]));
    const { statistics } = await user.client.Projects.show(project.id, { statistics: true });
    expect(statistics).toMatchObject({ lfs_objects_size: 8 });
  });

  it('is refused if LFS is disabled, in an archived project, and for callers who may not push', async () => {
    const { user, project } = await newProject();
    const guest = await newUser('guest');
    await user.client.ProjectMembers.add(project.id, 20, { userId: guest.id });
    await until(
      'the reporter',
      async () => (await lfs(project, 'locks', basic(guest), undefined, 'GET')).status === 200,
    );
    expect(await send(project, guest, 'x')).toBe(403);
    await user.client.Projects.edit(project.id, { lfsEnabled: false } as object);
    await until('the switch', async () => (await send(project, user, 'x')) === 403);
    await user.client.Projects.edit(project.id, { lfsEnabled: true } as object);
    await until('the switch', async () => (await send(project, user, 'x')) === 200);
    await user.client.Projects.archive(project.id);
    await until('the archive', async () => (await send(project, user, 'y')) === 403);
    expect((await download(project, basic(user), 'x')).objects[0]!.actions).toHaveProperty('download');
  });

  it('is uploaded and downloaded by deploy tokens and job tokens, as with git', async () => {
    const { user, project } = await newProject();
    await send(project, user, 'bytes');
    const made = await user.client.DeployTokens.create('server', ['read_repository'], { projectId: project.id });
    const { username, token } = made as typeof made & { token: string };
    const asToken = basic({ username: username!, token });
    expect((await download(project, asToken, 'bytes')).objects[0]!.actions).toHaveProperty('download');
    expect((await lfs(project, `objects/${oidOf('x')}/1`, asToken, Buffer.from('x'), 'PUT')).status).toBe(403);
    expect((await lfs(project, 'locks', asToken, { path: 'a' })).status).toBe(403);
  });
});

describe('an invalid request of git-lfs', () => {
  const shared = newProject();

  it.each([
    ['no JSON', 'objects/batch', 'x', 422],
    ['no operation', 'objects/batch', { objects: [] }, 422],
    ['no SHA-256', 'objects/batch', { operation: 'upload', objects: [{ oid: '../../x', size: 1 }] }, 422],
    ['no size', 'objects/batch', { operation: 'upload', objects: [{ oid: 'a'.repeat(64), size: -1 }] }, 422],
    ['another hash', 'objects/batch', { operation: 'upload', objects: [], hash_algo: 'sha512' }, 409],
    ['too many objects', 'objects/batch', { operation: 'upload', objects: Array(1001).fill({}) }, 422],
    ['depth', 'objects/batch', JSON.parse('['.repeat(200) + ']'.repeat(200)), 422],
    ['no path', 'locks', {}, 422],
    ['a long path', 'locks', { path: 'x'.repeat(1025) }, 422],
    ['no number', 'locks/verify', { cursor: 'x' }, 422],
    ['no lock', 'locks/999999999/unlock', {}, 404],
    ['no address', 'objects/x', {}, 404],
  ])('is refused in its form: %s', async (_what, rest, body, status) => {
    const { user, project } = await shared;
    expect((await lfs(project, rest, basic(user), body)).status).toBe(status);
  });

  it('is refused without reading if it is too long, and requires a sign-in without credentials', async () => {
    const { user, project } = await shared;
    const long = await ask(`/${project.path_with_namespace}.git/info/lfs/locks`, {
      method: 'POST',
      headers: { authorization: basic(user) },
      body: `{"path":"${'x'.repeat(2 * 1024 ** 2)}"}`,
    });
    expect(long.status).toBe(413);
    const anonymous = await lfs(project, 'objects/batch', undefined, { operation: 'download', objects: [] });
    expect([anonymous.status, anonymous.headers.get('lfs-authenticate')]).toEqual([401, 'Basic realm="Moothall"']);
    const open = await user.client.Projects.edit(project.id, { visibility: 'public' });
    await send(project, user, 'open');
    const asked = { operation: 'download', objects: [{ oid: oidOf('open'), size: 4 }] };
    await until(
      'the visibility',
      async () => (await lfs(open as Project, 'objects/batch', undefined, asked)).status === 200,
    );
    expect((await lfs(project, 'objects/batch', undefined, { ...asked, operation: 'upload' })).status).toBe(401);
  });

  it('names locks page by page', async () => {
    const { user, project } = await newProject();
    for (const at of [1, 2, 3]) expect((await lfs(project, 'locks', basic(user), { path: `f${at}` })).status).toBe(201);
    const again = await lfs(project, 'locks', basic(user), { path: 'f1' });
    expect([again.status, again.body.lock.path]).toEqual([409, 'f1']);
    const first = await lfs(project, 'locks?limit=2', basic(user), undefined, 'GET');
    expect(first.body.locks.map(({ path: one }: { path: string }) => one)).toEqual(['f1', 'f2']);
    const rest = await lfs(project, 'locks/verify', basic(connection), { cursor: first.body.next_cursor, limit: 2 });
    expect(rest.body).toMatchObject({ ours: [], theirs: [{ path: 'f3' }] });
    expect(rest.body.next_cursor).toBeUndefined();
    const named = await lfs(project, 'locks?path=f2', basic(user), undefined, 'GET');
    expect(named.body.locks).toMatchObject([{ path: 'f2', owner: { name: expect.any(String) } }]);
  });
});

it('are deleted with their project', async () => {
  const { user, project } = await newProject();
  await send(project, user, 'bytes');
  await root.Projects.remove(project.id);
  await until('the end', async () => (await lfs(project, 'locks', basic(user), undefined, 'GET')).status === 404);
});
