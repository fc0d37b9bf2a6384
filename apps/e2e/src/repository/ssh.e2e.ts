import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newUser, root, uniqueName } from '../server/connection';
import { git, gitText } from '../server/git';
import { makeSshKey } from './ssh-key';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'moothall-ssh-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A user with an SSH key and a private project with one commit, cloned over SSH. */
async function withClone() {
  const user = await newUser('ssh');
  const key = makeSshKey(folder, uniqueName('key'));
  await user.client.UserSSHKeys.create('laptop', key.publicKey);
  const project = await user.client.Projects.create({
    name: uniqueName('project'),
    initializeWithReadme: true,
    visibility: 'private',
  });
  const clone = path.join(folder, uniqueName('clone'));
  git(folder, ['clone', '--quiet', project.ssh_url_to_repo, clone], key.env);
  return { user, key, project, clone };
}

function commit(clone: string, file: string): string {
  writeFileSync(path.join(clone, file), file);
  git(clone, ['add', '.']);
  git(clone, ['commit', '--quiet', '-m', `add ${file}`]);
  return gitText(clone, ['rev-parse', 'HEAD']);
}

it('clones and pushes over SSH with protocol version 2', async () => {
  const { user, key, project, clone } = await withClone();
  const head = commit(clone, 'a.txt');
  git(clone, ['push', '--quiet', 'origin', 'HEAD'], key.env);
  expect((await user.client.Commits.show(project.id, 'main')).id).toBe(head);
  const trace = path.join(folder, uniqueName('trace'));
  git(clone, ['ls-remote', 'origin'], { ...key.env, GIT_TRACE_PACKET: trace, GIT_PROTOCOL: 'version=2' });
  expect(readFileSync(trace, 'utf8')).toContain('version 2');
});

it('shows nothing without access, and disconnects blocked users immediately', async () => {
  const { user, key, project, clone } = await withClone();
  const stranger = await newUser('stranger');
  const strange = makeSshKey(folder, uniqueName('key'));
  const unknown = makeSshKey(folder, uniqueName('key'));
  await stranger.client.UserSSHKeys.create('laptop', strange.publicKey);
  const read = (env: Record<string, string>) => () => git(folder, ['ls-remote', project.ssh_url_to_repo], env);
  expect(read(strange.env)).toThrow(/could not be found or you don't have permission/);
  expect(read(unknown.env)).toThrow(/Permission denied \(publickey\)/);
  await root.Users.block(user.id);
  expect(() => git(clone, ['fetch'], key.env)).toThrow(/Permission denied/);
});

it('refuses force pushes to the default branch', async () => {
  const { key, clone } = await withClone();
  commit(clone, 'a.txt');
  git(clone, ['push', '--quiet', 'origin', 'HEAD'], key.env);
  git(clone, ['commit', '--quiet', '--amend', '-m', 'another']);
  expect(() => git(clone, ['push', '--force', 'origin', 'HEAD'], key.env)).toThrow(
    /not allowed to force push to the protected branch main/,
  );
  git(clone, ['push', '--quiet', 'origin', 'HEAD:topic'], key.env);
});

it('opens the projects of a deploy key only, and pushes only with a key that may', async () => {
  const { user, project, clone } = await withClone();
  const reading = makeSshKey(folder, uniqueName('key'));
  await user.client.DeployKeys.create(project.id, 'ci', reading.publicKey);
  commit(clone, 'b.txt');
  git(clone, ['fetch'], reading.env);
  expect(() => git(clone, ['push', 'origin', 'HEAD:topic'], reading.env)).toThrow(/not allowed|permission/);
  const writing = makeSshKey(folder, uniqueName('key'));
  await user.client.DeployKeys.create(project.id, 'release', writing.publicKey, { canPush: true });
  git(clone, ['push', '--quiet', 'origin', 'HEAD:topic'], writing.env);
  const other = await user.client.Projects.create({ name: uniqueName('other'), visibility: 'private' });
  expect(() => git(folder, ['ls-remote', other.ssh_url_to_repo], writing.env)).toThrow(/could not be found/);
});

it('clones and pushes a wiki', async () => {
  const { user, key, project } = await withClone();
  const clone = path.join(folder, uniqueName('wiki'));
  git(folder, ['clone', '--quiet', project.ssh_url_to_repo.replace(/\.git$/, '.wiki.git'), clone], key.env);
  commit(clone, 'Home.md');
  git(clone, ['push', '--quiet', 'origin', 'HEAD:master'], key.env);
  expect(user.id).toBeGreaterThan(0);
});

it('runs nothing but git', async () => {
  const { key, project } = await withClone();
  const url = new URL(project.ssh_url_to_repo);
  const ssh = (command: string) => () =>
    execFileSync('sh', ['-c', `${key.env.GIT_SSH_COMMAND} -p ${url.port} git@${url.hostname} ${command}`], {
      stdio: 'pipe',
    });
  expect(ssh('id')).toThrow(/Only git can be used here/);
  const archive = () => git(folder, ['archive', `--remote=${project.ssh_url_to_repo}`, 'HEAD'], key.env);
  expect(archive).toThrow(/git archive --remote is not served here/);
});
