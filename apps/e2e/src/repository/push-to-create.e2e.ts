import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connection, newUser, root, uniqueName } from '../server/connection';
import { git, remoteUrl } from '../server/git';
import { makeSshKey } from './ssh-key';

/* Pushes to a path without a project. See docs/api/repository.md#11. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-create-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type User = Awaited<ReturnType<typeof newUser>>;

/** A repository with one commit. */
function repository(): string {
  const place = path.join(folder, uniqueName('repository'));
  git(folder, ['init', '--quiet', '--initial-branch', 'main', place]);
  writeFileSync(path.join(place, 'a.txt'), 'a');
  git(place, ['add', '.']);
  git(place, ['commit', '--quiet', '-m', 'first']);
  return place;
}

/** @returns git's output, whether or not it succeeds */
function push(place: string, url: string, env: Record<string, string> = {}): string {
  const options = { cwd: place, env: { ...process.env, GIT_TERMINAL_PROMPT: '0', ...env }, encoding: 'utf8' } as const;
  return execFileSync('sh', ['-c', `git push ${url} HEAD:main 2>&1 || echo FAILED`], options);
}

const secretOf = (user: User) => (name: string) => remoteUrl(`${user.username}/${name}`, user.username, user.token);

it('creates a private project over HTTP, once, and prints its address', async () => {
  const user = await newUser('pusher');
  const [name, place] = [uniqueName('made'), repository()];
  const shown = push(place, secretOf(user)(name));
  expect(shown).toContain(`remote: The private project ${user.username}/${name} was successfully created.`);
  expect(shown).toContain(`git remote add origin ${connection.url}/${user.username}/${name}.git`);
  const project = await user.client.Projects.show(`${user.username}/${name}`);
  expect(project).toMatchObject({ visibility: 'private', default_branch: 'main', path: name });
  git(place, ['commit', '--quiet', '--allow-empty', '-m', 'second']);
  expect(push(place, secretOf(user)(name))).not.toContain('successfully created');
});

it('makes one over SSH, and none for a deploy key', async () => {
  const user = await newUser('pusher');
  const key = makeSshKey(folder, uniqueName('key'));
  await user.client.UserSSHKeys.create('laptop', key.publicKey);
  const known = await user.client.Projects.create({ name: uniqueName('known'), initializeWithReadme: true });
  const other = known.ssh_url_to_repo.replace(known.path, uniqueName('made'));
  expect(push(repository(), other, key.env)).toContain('was successfully created.');
  const deploy = makeSshKey(folder, uniqueName('key'));
  await user.client.DeployKeys.create(known.id, 'ci', deploy.publicKey, { canPush: true });
  const none = known.ssh_url_to_repo.replace(known.path, uniqueName('none'));
  expect(push(repository(), none, deploy.env)).toMatch(/could not be found[\s\S]*FAILED/);
});

it('creates one in a group for callers who may create projects there, and for no others', async () => {
  const [owner, developer, reporter] = await Promise.all([newUser('owner'), newUser('developer'), newUser('reporter')]);
  const group = await owner.client.Groups.create(uniqueName('group'), uniqueName('group'), { visibility: 'private' });
  await owner.client.GroupMembers.add(group.id, 30, { userId: developer.id });
  await owner.client.GroupMembers.add(group.id, 20, { userId: reporter.id });
  const into = (user: User, name = uniqueName('made')) =>
    push(repository(), remoteUrl(`${group.full_path}/${name}`, user.username, user.token));
  expect(into(developer)).toContain('successfully created');
  expect(into(reporter)).toMatch(/could not be found[\s\S]*FAILED/);
  expect(into(await newUser('stranger'))).toMatch(/could not be found[\s\S]*FAILED/);
  const all = await root.Groups.allProjects(group.id);
  expect(all).toHaveLength(1);
});

it('creates none for an invalid path, a wiki, a fetch, without a scope, or for another namespace', async () => {
  const user = await newUser('pusher');
  const url = secretOf(user);
  expect(push(repository(), url(`${uniqueName('x')}.atom`))).toMatch(/none can be made[\s\S]*FAILED/);
  expect(push(repository(), url(`${uniqueName('w')}.wiki`))).toMatch(/FAILED/);
  const asked = uniqueName('fetched');
  expect(() => git(folder, ['ls-remote', url(asked)])).toThrow(/not found|could not be found/);
  const { token } = await root.UserImpersonationTokens.create(user.id, 'reads', ['read_repository'], {
    expiresAt: '2099-01-01',
  });
  expect(push(repository(), remoteUrl(`${user.username}/${asked}`, user.username, String(token)))).toMatch(/FAILED/);
  const other = await newUser('other');
  const theirs = await other.client.Projects.create({ name: uniqueName('theirs'), visibility: 'private' });
  const intrusion = remoteUrl(theirs.path_with_namespace, user.username, user.token);
  expect(push(repository(), intrusion)).toMatch(/could not be found[\s\S]*FAILED/);
  expect(await user.client.Projects.all({ owned: true })).toEqual([]);
});

it('creates one project for two concurrent pushes', async () => {
  const user = await newUser('pusher');
  const name = uniqueName('made');
  const headers = { authorization: `Basic ${Buffer.from(`${user.username}:${user.token}`).toString('base64')}` };
  const refs = `${connection.url}/${user.username}/${name}.git/info/refs?service=git-receive-pack`;
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await fetch(refs, { headers })).status));
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  expect(await user.client.Projects.all({ owned: true })).toHaveLength(1);
});
