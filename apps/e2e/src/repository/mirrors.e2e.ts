import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@moothall/infrastructure';
import { ask, connection, newUser, uniqueName } from '../server/connection';
import { git, gitLines, gitText } from '../server/git';
import { until } from '../server/until';
import { makeSshKey } from './ssh-key';

const put = (path: string, token: string, body: object) =>
  ask(path, { method: 'PUT', token, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });

it('refuses mirrors into the local network, and pushes to those that an administrator allows', async () => {
  const { client, username, token } = await newUser('mirror');
  const source = await client.Projects.create({ name: uniqueName('source'), initializeWithReadme: true });
  const target = await client.Projects.create({ name: uniqueName('target') });
  const url = new URL(`${connection.url}/${target.path_with_namespace}.git`);
  url.username = username;
  url.password = token;
  for (const blocked of [url.href.replace('127.0.0.1', '127.0.0.2'), 'file:///etc'])
    await expect(client.ProjectRemoteMirrors.createPushMirror(source.id, blocked)).rejects.toThrow(/is blocked/);

  const made = await client.ProjectRemoteMirrors.createPushMirror(source.id, url.href, { enabled: true });
  expect(made.url).toBe(`http://*****:*****@${url.host}/${target.path_with_namespace}.git`);
  const done = await until('the mirror', async () => {
    const mirror = await client.ProjectRemoteMirrors.show(source.id, made.id);
    return mirror.last_successful_update_at ? mirror : undefined;
  });
  expect(done.last_error).toBeNull();
  const [here, there] = await Promise.all([source, target].map(({ id }) => client.Branches.show(id, 'main')));
  expect(there!.commit.id).toBe(here!.commit.id);
  const [listed] = await client.ProjectRemoteMirrors.all(source.id);
  expect(JSON.stringify(listed)).not.toContain(token);
});

describe('over other ways than HTTP', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'moothall-mirrors-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  type Client = Awaited<ReturnType<typeof newUser>>['client'];
  /**
   * The mirror once its latest push has ended; its status may already be that of the next push, started by a late
   * event.
   */
  const settled = (client: Client, projectId: number, id: number, since = 0) =>
    until('the mirror', async () => {
      const mirror = await client.ProjectRemoteMirrors.show(projectId, id);
      const [began, ended] = [mirror.last_update_started_at, mirror.last_update_at].map((at) => Date.parse(String(at)));
      return began! >= since && ended! >= began! ? mirror : undefined;
    });
  const succeeded = {
    ...{ last_error: null, last_successful_update_at: expect.any(String) },
    update_status: expect.stringMatching(/^(finished|scheduled)$/),
  };

  it('pushes over SSH with its own key, and only to the server with the known key', async () => {
    const { client, token } = await newUser('mirror');
    const source = await client.Projects.create({ name: uniqueName('source'), initializeWithReadme: true });
    const target = await client.Projects.create({ name: uniqueName('target') });
    const made = await client.ProjectRemoteMirrors.createPushMirror(source.id, target.ssh_url_to_repo);
    expect(made).toMatchObject({ auth_method: 'ssh_public_key', host_keys: [], enabled: false, update_status: 'none' });
    const mirror = `/api/v4/projects/${source.id}/remote_mirrors/${made.id}`;
    const { public_key } = (await (await ask(`${mirror}/public_key`, { token })).json()) as { public_key: string };
    await client.DeployKeys.create(target.id, 'mirror', public_key, { canPush: true });
    await client.Branches.create(source.id, 'release/1', 'main');
    await client.Tags.create(source.id, 'v1', 'main', { message: 'first' });
    await client.ProjectRemoteMirrors.edit(source.id, made.id, { enabled: true });
    const done = await settled(client, source.id, made.id);
    expect(done).toMatchObject(succeeded);
    const names = async (id: number) => [
      ...(await client.Branches.all(id)).map(({ name, commit }) => `${name} ${commit.id}`),
      ...(await client.Tags.all(id)).map(({ name, target: tagId }) => `${name} ${tagId}`),
    ];
    expect(await names(target.id)).toEqual(await names(source.id));
    const [seen] = done.host_keys as { fingerprint_sha256: string }[];
    const port = new URL(String(target.ssh_url_to_repo)).port;
    const scanned = execFileSync('sh', ['-c', `ssh-keyscan -p ${port} 127.0.0.1 2>/dev/null | ssh-keygen -lf -`]);
    expect(scanned.toString()).toContain(seen!.fingerprint_sha256);

    // Another server answers at that address: the stored host key no longer matches.
    const stranger = makeSshKey(folder, 'stranger').publicKey;
    const wrong = await put(mirror, token, { host_keys: [stranger] });
    expect(wrong.status).toBe(200);
    const since = Date.now();
    await client.ProjectRemoteMirrors.sync(source.id, made.id);
    const refused = await settled(client, source.id, made.id, since);
    expect(refused).toMatchObject({
      update_status: expect.stringMatching(/^(to_retry|scheduled)$/),
      last_error: expect.stringMatching(/another host key/),
    });
    expect((await put(mirror, token, { host_keys: ['nonsense'] })).status).toBe(400);
    // After the key is removed, the next connection stores it again.
    await put(mirror, token, { host_keys: [] });
    const again = Date.now();
    await client.ProjectRemoteMirrors.sync(source.id, made.id);
    expect(await settled(client, source.id, made.id, again)).toMatchObject(succeeded);
    await client.ProjectRemoteMirrors.remove(source.id, made.id);
    expect(await client.ProjectRemoteMirrors.all(source.id)).toEqual([]);
  });

  it("pushes over git's own protocol, deletes removed refs, and keeps diverged ones if configured", async () => {
    const bare = path.join(folder, 'bare.git');
    git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', bare]);
    const port = await findFreePort();
    const daemon = spawn(
      'git',
      [
        'daemon',
        '--export-all',
        '--enable=receive-pack',
        `--base-path=${folder}`,
        `--port=${port}`,
        '--listen=127.0.0.1',
      ],
      { stdio: 'ignore', detached: true },
    );
    try {
      const { client } = await newUser('mirror');
      const source = await client.Projects.create({ name: uniqueName('source'), initializeWithReadme: true });
      await client.Branches.create(source.id, 'gone', 'main');
      await until('git daemon', () => {
        try {
          return git(folder, ['ls-remote', `git://127.0.0.1:${port}/bare.git`]);
        } catch {
          return undefined;
        }
      });
      const made = await client.ProjectRemoteMirrors.createPushMirror(source.id, `git://127.0.0.1:${port}/bare.git`, {
        enabled: true,
      });
      expect(await settled(client, source.id, made.id)).toMatchObject(succeeded);
      const sync = async () => {
        const since = Date.now();
        await client.ProjectRemoteMirrors.sync(source.id, made.id);
        return settled(client, source.id, made.id, since);
      };
      const heads = () => gitLines(bare, ['for-each-ref', '--format=%(refname:short)', 'refs/heads']);
      expect(heads()).toEqual(['gone', 'main']);
      await client.Branches.remove(source.id, 'gone');
      await sync();
      expect(heads()).toEqual(['main']);

      await client.ProjectRemoteMirrors.edit(source.id, made.id, { keepDivergentRefs: true });
      const theirs = gitText(bare, ['commit-tree', '-m', 'theirs', gitText(bare, ['rev-parse', 'main^{tree}'])]);
      git(bare, ['update-ref', 'refs/heads/main', theirs]);
      expect((await sync()).last_error).toMatch(/refs\/heads\/main/);
      expect(gitText(bare, ['rev-parse', 'main'])).toBe(theirs);
      await client.ProjectRemoteMirrors.edit(source.id, made.id, { keepDivergentRefs: false });
      await sync();
      expect(gitText(bare, ['rev-parse', 'main'])).toBe((await client.Branches.show(source.id, 'main')).commit.id);

      await client.ProjectRemoteMirrors.edit(source.id, made.id, { onlyProtectedBranches: true });
      await client.Branches.create(source.id, 'topic', 'main');
      await sync();
      expect(heads()).toEqual(['main']);
    } finally {
      // git daemon is a child of git, and ends with its process group only.
      process.kill(-daemon.pid!, 'SIGTERM');
    }
  });
});

it('reports why a mirror fails', async () => {
  const { client } = await newUser('mirror');
  const source = await client.Projects.create({ name: uniqueName('source'), initializeWithReadme: true });
  const made = await client.ProjectRemoteMirrors.createPushMirror(source.id, 'https://nowhere.invalid/x.git', {
    enabled: true,
  });
  const failed = await until('the failure', async () => {
    const mirror = await client.ProjectRemoteMirrors.show(source.id, made.id);
    return mirror.update_status === 'to_retry' ? mirror : undefined;
  });
  expect(failed.last_error).toMatch(/.+/);
});
