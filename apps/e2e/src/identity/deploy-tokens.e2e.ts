import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { removeTemporaryFolder } from '@moothall/processes';
import { hasPrograms, ImageClient } from '../registry/image-client';
import { ask, connection, newUser, root, uniqueName } from '../server/connection';
import { git, remoteUrl } from '../server/git';
import { until } from '../server/until';

/* Deploy tokens, with which servers fetch code and images. */

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-deploy-tokens-'));
afterAll(() => removeTemporaryFolder(folder));

async function withProject() {
  const user = await newUser('deployer');
  const group = await user.client.Groups.create(uniqueName('Group'), uniqueName('group'), { visibility: 'private' });
  const request = { namespaceId: group.id, initializeWithReadme: true };
  const project = await user.client.Projects.create({ name: uniqueName('project'), ...request });
  return { user, group, project, path: String(project.path_with_namespace) };
}

const lsRemote = (fullPath: string, username: string, token: string) => () =>
  git(folder, ['ls-remote', remoteUrl(fullPath, username, token)]).toString();
const isRefused = (work: () => string) => async () => {
  try {
    work();
    return false;
  } catch {
    return true;
  }
};

it('fetch the code of their project, and do nothing else', async () => {
  const { user, project, path: fullPath } = await withProject();
  const made = await user.client.DeployTokens.create('server', ['read_repository'], { projectId: project.id });
  const { username, token } = made as typeof made & { token: string };
  expect(lsRemote(fullPath, username, token)()).toContain('refs/heads/main');
  const clone = path.join(folder, uniqueName('clone'));
  git(folder, ['clone', '--quiet', remoteUrl(fullPath, username, token), clone]);
  writeFileSync(path.join(clone, 'new.txt'), 'new');
  git(clone, ['add', '.']);
  git(clone, ['commit', '--quiet', '-m', 'new']);
  expect(() => git(clone, ['push', 'origin', 'HEAD:topic'])).toThrow(/403|not allowed/);
  expect(lsRemote(fullPath, 'root', token)).toThrow();
  const other = await withProject();
  expect(lsRemote(other.path, username, token)).toThrow();
  const basic = `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
  for (const route of [`/projects/${project.id}`, '/user', `/projects/${project.id}/repository/archive`, '/projects']) {
    const statuses = await Promise.all(
      [{ authorization: basic }, { 'deploy-token': token }, { 'private-token': token }].map(
        async (headers) => (await ask(`/api/v4${route}`, { headers })).status,
      ),
    );
    expect([route, ...statuses]).toEqual([route, 403, 403, 401]);
  }
});

it('of a group give access to everything below it, until they are revoked', async () => {
  const { user, group, path: fullPath } = await withProject();
  const { DeployTokens } = user.client;
  const made = await DeployTokens.create('server', ['read_repository'], { groupId: group.id, username: 'server' });
  const { id, token } = made as typeof made & { token: string };
  expect(lsRemote(fullPath, 'server', token)()).toContain('refs/heads/main');
  expect(await DeployTokens.all({ groupId: group.id })).toMatchObject([{ id, username: 'server', revoked: false }]);
  expect(await root.DeployTokens.all({ active: true })).toContainEqual(expect.objectContaining({ id }));
  await DeployTokens.remove(id, { groupId: group.id });
  await until('the end of the token', isRefused(lsRemote(fullPath, 'server', token)));
  expect(await DeployTokens.show(id, { groupId: group.id })).toMatchObject({ revoked: true });
});

it('are for maintainers to make', async () => {
  const { project } = await withProject();
  const other = await newUser('other');
  await root.ProjectMembers.add(project.id, 30, { userId: other.id });
  const { DeployTokens } = other.client;
  await expect(DeployTokens.create('mine', ['read_repository'], { projectId: project.id })).rejects.toThrow(/403/);
  await expect(DeployTokens.all({ projectId: project.id })).rejects.toThrow(/403/);
  await expect(DeployTokens.all()).rejects.toThrow(/403/);
});

(hasPrograms() ? it : it.skip)('push and pull images', async () => {
  const { user, project, path: fullPath } = await withProject();
  const scopes: ('read_registry' | 'write_registry')[] = ['read_registry', 'write_registry'];
  const made = await user.client.DeployTokens.create('images', scopes, { projectId: project.id });
  const { username, token } = made as typeof made & { token: string };
  const images = new ImageClient(connection.registry_url!, folder);
  await images.signIn(username, token);
  await images.push(`${fullPath}:v1`, new Date(Date.UTC(2020, 0, 1)));
  await images.pull(`${fullPath}:v1`);
  expect(lsRemote(fullPath, username, token)).toThrow();
  const other = await withProject();
  await expect(images.push(`${other.path}:v1`, new Date(Date.UTC(2020, 0, 1)))).rejects.toThrow();
});
