import { createHash } from 'node:crypto';
import { ask, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Secure files, by v4 clients and jobs. */

async function newProject() {
  const user = await newUser('keeper');
  const project = await user.client.Projects.create({ name: uniqueName('kept') });
  return { ...user, project, place: `/api/v4/projects/${project.id}/secure_files` };
}

const fileOf = (bytes: string | Uint8Array<ArrayBuffer>) => ({ content: new Blob([bytes]), filename: 'sent.bin' });

it('are created, listed, downloaded and deleted by a client', async () => {
  const { client, project } = await newProject();
  const { SecureFiles } = client;
  const bytes = new Uint8Array(1024).map((_, at) => at % 256);
  const made = await SecureFiles.create(project.id, 'app.jks', fileOf(bytes));
  expect(made).toMatchObject({
    ...{ name: 'app.jks', checksum_algorithm: 'sha256', file_extension: 'jks', expires_at: null, metadata: null },
    checksum: createHash('sha256').update(bytes).digest('hex'),
  });
  expect(await SecureFiles.all(project.id)).toEqual([made]);
  expect(await SecureFiles.show(project.id, String(made.id))).toEqual(made);
  const blob = (await SecureFiles.download(project.id, made.id)) as Blob;
  expect(Buffer.from(await blob.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
  await expect(SecureFiles.create(project.id, 'app.jks', fileOf('x'))).rejects.toThrow(/already been taken/);
  await SecureFiles.remove(project.id, made.id);
  await expect(SecureFiles.remove(project.id, made.id)).rejects.toThrow(/Not Found/);
  expect(await SecureFiles.all(project.id)).toEqual([]);
});

it('are of 5 MB at most, and have a name', async () => {
  const { client, project, place, token } = await newProject();
  const large = new Uint8Array(5 * 1024 ** 2 + 1);
  await expect(client.SecureFiles.create(project.id, 'large', fileOf(large))).rejects.toMatchObject({
    cause: { response: { status: 413 } },
  });
  const made = await client.SecureFiles.create(project.id, 'full', fileOf(large.subarray(1)));
  expect(made).toMatchObject({ name: 'full' });
  const form = new FormData();
  form.set('file', new Blob(['x']), 'a.txt');
  expect((await ask(place, { method: 'POST', token, body: form })).status).toBe(400);
  expect((await client.SecureFiles.all(project.id)).map(({ name }) => name)).toEqual(['full']);
});

it('are read by the jobs of the project, and changed by none', async () => {
  const { client, project, place, token } = await newProject();
  const send = async (route: string, body: object, method = 'POST') => {
    const headers = { 'content-type': 'application/json' };
    return ask(`/api/v4${route}`, { method, token, headers, body: JSON.stringify(body) });
  };
  const { id } = await client.SecureFiles.create(project.id, 'key', fileOf('secret'));
  const runner = await send('/user/runners', { runner_type: 'project_type', project_id: project.id });
  await client.Commits.create(project.id, 'main', 'Add a job', [
    { action: 'create', filePath: '.gitlab-ci.yml', content: JSON.stringify({ sign: { script: ['true'] } }) },
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
  const headers = { 'job-token': job.token };
  const listed = await ask(place, { headers });
  expect(await listed.json()).toMatchObject([{ id, name: 'key' }]);
  const file = await ask(`${place}/${id}/download`, { headers });
  expect(await file.text()).toBe('secret');
  expect((await ask(`${place}/${id}`, { method: 'DELETE', headers })).status).toBeGreaterThanOrEqual(401);
  const other = await client.Projects.create({ name: uniqueName('other') });
  expect((await ask(`/api/v4/projects/${other.id}/secure_files`, { headers })).status).toBe(404);
});
