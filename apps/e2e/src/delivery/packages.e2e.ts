import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ask, clientFor, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

const folder = mkdtempSync(path.join(tmpdir(), 'moothall-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function newProject() {
  const user = await newUser('owner');
  const project = await user.client.Projects.create({ name: uniqueName('project') });
  const place = `/api/v4/projects/${project.id}/packages/generic`;
  return { ...user, project, place };
}

it('are published, listed and removed through the client', async () => {
  const { client, project } = await newProject();
  const file = { content: new Blob(['bytes']), filename: 'app.txt' };
  const published = await client.PackageRegistry.publish(project.id, 'app', '1.0', file, { select: 'package_file' });
  expect(published).toMatchObject({ file_name: 'app.txt', size: 5, file_sha256: expect.any(String) });
  await client.PackageRegistry.publish(project.id, 'app', '1.0', { ...file, filename: 'other.txt' });
  const [own, ...others] = await client.Packages.all({ projectId: project.id });
  expect([own!.name, own!.version, own!.package_type, others]).toEqual(['app', '1.0', 'generic', []]);
  expect(await client.Packages.show(project.id, own!.id)).toMatchObject({ id: own!.id, versions: [] });
  const files = await client.Packages.allFiles(project.id, own!.id);
  expect(files.map(({ file_name }) => file_name)).toEqual(['app.txt', 'other.txt']);
  const { statistics } = await client.Projects.show(project.id, { statistics: true });
  expect(statistics).toMatchObject({ packages_size: 10 });
  await client.Packages.removeFile(project.id, own!.id, files[0]!.id);
  await client.Packages.remove(project.id, own!.id);
  expect(await client.Packages.all({ projectId: project.id })).toEqual([]);
});

it('come back from curl as they went, of 64 MB', async () => {
  const { project, place, token } = await newProject();
  const content = randomBytes(64 * 1024 ** 2);
  const [sent, received] = [path.join(folder, 'sent'), path.join(folder, 'received')];
  writeFileSync(sent, content);
  const url = `${connection.url}${place}/app/1.0/dir/app.bin`;
  const curl = (...args: string[]) =>
    execFileSync('curl', ['--silent', '--show-error', '--fail', '--header', `PRIVATE-TOKEN: ${token}`, ...args]);
  expect(JSON.parse(curl('--upload-file', sent, url).toString())).toEqual({ message: '201 Created' });
  curl('--output', received, url);
  const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(digest(readFileSync(received))).toBe(digest(content));
  const { name } = (await clientFor(token).Packages.all({ projectId: project.id }))[0]!;
  expect(name).toBe('app');
});

it('are not there when who sends them is killed half way', async () => {
  const { client, project, place, token } = await newProject();
  const args = ['--silent', '--header', `PRIVATE-TOKEN: ${token}`, '--limit-rate', '100K', '--upload-file', '-'];
  const child = spawn('curl', [...args, `${connection.url}${place}/app/1.0/app.bin`], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  child.stdin.write(randomBytes(200 * 1024));
  child.kill('SIGKILL');
  await once(child, 'exit');
  await client.PackageRegistry.publish(project.id, 'other', '1.0', { content: new Blob(['x']), filename: 'x' });
  expect((await client.Packages.all({ projectId: project.id })).map(({ name }) => name)).toEqual(['other']);
});

it('of a private project are for its reporters and those above', async () => {
  const { client, project, place, token } = await newProject();
  const address = `${place}/app/1.0/app.txt`;
  await client.PackageRegistry.publish(project.id, 'app', '1.0', { content: new Blob(['x']), filename: 'app.txt' });
  const guest = await newUser('guest');
  const status = async (init: { token?: string; method?: string; body?: string }) => (await ask(address, init)).status;
  expect([await status({}), await status({ token: guest.token })]).toEqual([404, 404]);
  await client.ProjectMembers.add(project.id, 10, { userId: guest.id });
  await until('the guest', async () => (await status({ token: guest.token })) === 403);
  await client.ProjectMembers.edit(project.id, guest.id, 20);
  await until('the level', async () => (await status({ token: guest.token })) === 200);
  expect(await status({ token: guest.token, method: 'PUT', body: 'x' })).toBe(403);
  expect(await status({ token, method: 'PUT', body: 'x' })).toBe(201);
});

it('go with their project', async () => {
  const { client, project } = await newProject();
  await client.PackageRegistry.publish(project.id, 'app', '1.0', { content: new Blob(['x']), filename: 'app.txt' });
  await client.Projects.remove(project.id);
  await until('the end of the project', async () =>
    root.Packages.all({ projectId: project.id }).then(
      () => false,
      () => true,
    ),
  );
});
