import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ask, newUser, root, uniqueName } from '../server/connection';
import { git, gitText, remoteUrl } from '../server/git';
import { until } from '../server/until';
import { lfsClient } from './lfs-client';

/* A project with Git LFS that is imported from this server's own address, like one of another server. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-lfs-imports-'));
const { itWithClient, env, cloneOf, commit } = lfsClient(folder);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type User = Awaited<ReturnType<typeof newUser>>;

interface ImportState {
  import_status: string;
  import_error: string | null;
  failed_relations: { relation_name: string; exception_message: string }[];
}

async function importFrom(url: string, user: User, more: Record<string, unknown> = {}) {
  const project = await user.client.Projects.create({ name: uniqueName('copy'), importUrl: url, ...more });
  const state = await until('the import', async () => {
    const answer = await ask(`/api/v4/projects/${project.id}/import`, user);
    const read = (await answer.json()) as ImportState;
    return ['finished', 'failed'].includes(read.import_status) ? read : undefined;
  });
  return { project, state };
}

/** A user's private project with a file in LFS, and another file whose pointer is only in an older commit. */
async function withLfs() {
  const user = await newUser('lfs');
  const project = await user.client.Projects.create({ name: uniqueName('source'), initializeWithReadme: true });
  const url = remoteUrl(project.path_with_namespace, user.username, user.token);
  const clone = cloneOf(url);
  const [former, content] = [randomBytes(1000), randomBytes(2 * 1024 ** 2)];
  commit(clone, { 'a.bin': former });
  commit(clone, { 'a.bin': content });
  git(clone, ['push', '--quiet', 'origin', 'HEAD'], env);
  return { user, project, url, former, content };
}

itWithClient(
  'is cloned whole from what it was imported to, also when what it was imported from is gone',
  async () => {
    const { user, project, url, former, content } = await withLfs();
    const { project: copy, state } = await importFrom(url, user);
    expect(state).toMatchObject({ import_status: 'finished', import_error: null, failed_relations: [] });
    const { statistics } = await user.client.Projects.show(copy.id, { statistics: true });
    expect(statistics).toMatchObject({ lfs_objects_size: former.length + content.length });
    await root.Projects.remove(project.id);
    const clone = cloneOf(remoteUrl(copy.path_with_namespace, user.username, user.token));
    expect(readFileSync(path.join(clone, 'a.bin')).equals(content)).toBe(true);
    git(clone, ['checkout', '--quiet', 'HEAD~1'], env);
    expect(readFileSync(path.join(clone, 'a.bin')).equals(former)).toBe(true);
  },
  120_000,
);

itWithClient(
  'is imported without them if the other server refuses them, and reports it',
  async () => {
    const { user, project, url } = await withLfs();
    await user.client.Projects.edit(project.id, { lfsEnabled: false } as object);
    const { project: copy, state } = await importFrom(url, user);
    expect(state).toMatchObject({
      import_status: 'finished',
      import_error: null,
      failed_relations: [{ relation_name: 'lfs_objects', exception_message: 'Git LFS: the other server answers 403' }],
    });
    const clone = cloneOf(remoteUrl(copy.path_with_namespace, user.username, user.token), { GIT_LFS_SKIP_SMUDGE: '1' });
    expect(gitText(clone, ['cat-file', '-p', 'HEAD:a.bin'])).toContain('oid sha256:');
  },
  120_000,
);

itWithClient(
  'asks for none where LFS is switched off in the new project',
  async () => {
    const { user, url } = await withLfs();
    const { project: copy, state } = await importFrom(url, user, { lfsEnabled: false });
    expect(state).toMatchObject({ import_status: 'finished', failed_relations: [] });
    const { statistics } = await user.client.Projects.show(copy.id, { statistics: true });
    expect(statistics).toMatchObject({ lfs_objects_size: 0 });
  },
  120_000,
);
