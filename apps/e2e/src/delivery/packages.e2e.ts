import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ask, askJson, clientFor, connection, newUser, root, uniqueName } from '../server/connection';
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

it('of 64 MB are uploaded and downloaded unchanged with curl', async () => {
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

it('do not exist if the client is killed during the upload', async () => {
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

it('are protected by a rule: from users, jobs and deploy tokens', async () => {
  const { client, project, place, token } = await newProject();
  const other = await newUser('developer');
  await client.ProjectMembers.add(project.id, 30, { userId: other.id } as never);
  const at = `/projects/${project.id}`;
  const given = { package_name_pattern: 'app*', package_type: 'generic', minimum_access_level_for_push: 'maintainer' };
  const rules = `${at}/packages/protection/rules`;
  const { status, body } = await askJson('POST', rules, { body: given, token });
  expect([status, body]).toMatchObject([201, given]);
  const deployToken = await client.DeployTokens.create('x', ['write_package_registry'], { projectId: project.id });
  const upload = async (headers: Record<string, string>, name = 'app') => {
    const url = `${connection.url}${place}/${name}/1.0/file.txt`;
    return (await fetch(url, { method: 'PUT', body: 'x', headers })).status;
  };
  expect(await upload({ 'private-token': other.token })).toBe(403);
  expect(await upload({ 'private-token': other.token }, 'free')).toBe(201);
  expect(await upload({ 'deploy-token': String((deployToken as { token?: string }).token) })).toBe(403);
  expect(await upload({ 'private-token': token })).toBe(201);
  expect(
    (await askJson('PATCH', `${rules}/${body.id}`, { body: { minimum_access_level_for_push: '' }, token })).status,
  ).toBe(422);
  expect((await askJson('DELETE', `${rules}/${body.id}`, { token })).status).toBe(204);
  expect(await upload({ 'private-token': other.token })).toBe(201);
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

type Headers = Record<string, string>;
const basic = (username: string, token: string): Headers => ({
  authorization: `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`,
});
const statusOf = async (address: string, headers: Headers, method = 'GET') =>
  (await ask(address, { headers, method, ...(method === 'PUT' && { body: 'bytes' }) })).status;

it('are uploaded and deleted by deploy tokens with their scopes', async () => {
  const { client, project, place } = await newProject();
  const other = await newProject();
  const open = await other.client.Projects.create({ name: uniqueName('open'), visibility: 'public' });
  const [inOther, inOpen] = [other.project.id, open.id].map((id) => `/api/v4/projects/${id}/packages`);
  const address = `${place}/app/1.0/app.txt`;
  type Scope = 'read_repository' | 'read_package_registry' | 'write_package_registry';
  const newToken = async (scope: Scope) => {
    const made = await client.DeployTokens.create('server', [scope], { projectId: project.id });
    const { id, username, token } = made as typeof made & { token: string };
    const ways: Headers[] = [{ 'deploy-token': token }, basic(username, token)];
    return { id, ways };
  };
  const writer = await newToken('write_package_registry');
  for (const way of writer.ways) expect(await statusOf(address, way, 'PUT')).toBe(201);
  const [own] = await client.Packages.all({ projectId: project.id });
  expect(own).toMatchObject({ name: 'app', creator_id: null });
  const reader = await newToken('read_package_registry');
  for (const way of [...writer.ways, ...reader.ways]) {
    const response = await ask(address, { headers: way });
    expect([response.status, await response.text()]).toEqual([200, 'bytes']);
    expect(await statusOf(`/api/v4/projects/${project.id}/packages/${own!.id}/package_files`, way)).toBe(200);
    expect(await statusOf(`/api/v4/projects/${project.id}/packages/${own!.id}`, way, 'DELETE')).toBe(403);
    expect(await statusOf(`/api/v4/projects/${project.id}`, way)).toBe(403);
    expect([await statusOf(inOther!, way), await statusOf(inOpen!, way)]).toEqual([404, 200]);
  }
  const { ways: ofCode } = await newToken('read_repository');
  for (const way of ofCode) expect(await statusOf(address, way)).toBe(403);
  for (const way of [...reader.ways, ...ofCode]) expect(await statusOf(address, way, 'PUT')).toBe(403);
  for (const way of writer.ways)
    expect([
      await statusOf(`${inOther}/generic/app/1.0/app.txt`, way, 'PUT'),
      await statusOf(`${inOpen}/generic/app/1.0/app.txt`, way, 'PUT'),
    ]).toEqual([404, 403]);
  await client.DeployTokens.remove(reader.id, { projectId: project.id });
  for (const way of reader.ways)
    await until('the end of the token', async () => (await statusOf(address, way)) === 401);
});

it('are uploaded and deleted by the token of a job, in its project while it runs', async () => {
  const { client, project, place, token } = await newProject();
  const other = await client.Projects.create({ name: uniqueName('other') });
  const send = async (route: string, body: object, method = 'POST') => {
    const headers = { 'content-type': 'application/json' };
    return ask(`/api/v4${route}`, { method, token, headers, body: JSON.stringify(body) });
  };
  const runner = await send('/user/runners', { runner_type: 'project_type', project_id: project.id });
  await client.Commits.create(project.id, 'main', 'Add a job', [
    { action: 'create', filePath: '.gitlab-ci.yml', content: JSON.stringify({ publish: { script: ['true'] } }) },
  ]);
  const asRunner = { token: ((await runner.json()) as { token: string }).token };
  const job = await until(
    'the job',
    async () => {
      const response = await send('/jobs/request', asRunner);
      return response.status === 201 ? ((await response.json()) as { id: number; token: string }) : undefined;
    },
    60_000,
  );
  const address = `${place}/app/1.0/app.txt`;
  const ways: Headers[] = [{ 'job-token': job.token }, basic('gitlab-ci-token', job.token)];
  for (const way of ways) {
    expect(await statusOf(address, way, 'PUT')).toBe(201);
    expect(await statusOf(address, way)).toBe(200);
    const elsewhere = `/api/v4/projects/${other.id}/packages/generic/app/1.0/app.txt`;
    expect([await statusOf(elsewhere, way, 'PUT'), await statusOf(elsewhere, way)]).toEqual([404, 404]);
  }
  expect((await send(`/jobs/${job.id}`, { token: job.token, state: 'success' }, 'PUT')).status).toBe(200);
  for (const way of ways) expect(await statusOf(address, way)).toBe(401);
});

it('are deleted with their project', async () => {
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
