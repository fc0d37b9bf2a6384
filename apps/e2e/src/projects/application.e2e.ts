import { ask, askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { statusOf } from './status-of';

/* Settings of administrators, by @gitbeaker/rest's ApplicationAppearance and ApplicationSettings, and /features. */

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let user: Awaited<ReturnType<typeof newUser>>;
beforeAll(async () => {
  user = await newUser();
});

describe('appearance', () => {
  it('is changed by administrators and shown at the sign-in', async () => {
    const title = uniqueName('Hall');
    const edited = await root.ApplicationAppearance.edit({
      title,
      description: 'ours',
      messageFontColor: '#123456',
      headerMessage: 'to all',
    });
    expect(edited).toMatchObject({ title, description: 'ours', message_font_color: '#123456' });
    expect(await root.ApplicationAppearance.show()).toEqual(edited);
    const page = await (await fetch(`${connection.url}/users/sign_in`)).text();
    expect(page).toContain(title);
    expect(await statusOf(root.ApplicationAppearance.edit({ messageFontColor: 'red' }))).toBe(400);
    expect(await statusOf(user.client.ApplicationAppearance.show())).toBe(403);
    expect(await statusOf(user.client.ApplicationAppearance.edit({ title: 'mine' }))).toBe(403);
    await root.ApplicationAppearance.edit({ title: '', description: '', headerMessage: '' });
  });

  it('accepts images, and serves them with their type to everybody', async () => {
    const logo = { content: new Blob([new Uint8Array(png)], { type: 'image/png' }), filename: 'logo.png' };
    const { logo: address } = await root.ApplicationAppearance.edit({ logo });
    const image = await ask(String(address));
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(image.headers.get('content-security-policy')).toContain('sandbox');
    expect(Buffer.from(await image.arrayBuffer())).toEqual(png);
    const script = { content: new Blob(['<script>']), filename: 'logo.png' };
    expect(await statusOf(root.ApplicationAppearance.edit({ logo: script }))).toBe(400);
    expect((await root.ApplicationAppearance.edit({ logo: '' as never })).logo ?? null).not.toBe('');
  });
});

it('settings are read and changed by administrators', async () => {
  const before = await root.ApplicationSettings.show();
  expect(before).toMatchObject({ default_project_visibility: 'private' });
  const edited = await root.ApplicationSettings.edit({ maxAttachmentSize: 11 });
  expect(edited).toEqual({ ...before, max_attachment_size: 11 });
  await root.ApplicationSettings.edit({ maxAttachmentSize: before.max_attachment_size as number });
  expect(await root.ApplicationSettings.show()).toEqual(before);
  expect(await statusOf(root.ApplicationSettings.edit({ defaultProjectVisibility: 'secret' as 'public' }))).toBe(400);
  expect(await statusOf(user.client.ApplicationSettings.show())).toBe(403);
});

it('features are switched on, off and for some', async () => {
  const name = uniqueName('flag').replaceAll('-', '_');
  const call = (method: string, body?: object, token = connection.token) =>
    ask(`/api/v4/features${body || method === 'DELETE' ? `/${name}` : ''}`, {
      method,
      token,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  const on = await call('POST', { value: true });
  expect(on.status).toBe(201);
  expect(await on.json()).toEqual({ name, state: 'on', gates: [{ key: 'boolean', value: true }] });
  const some = await (await call('POST', { value: 25 })).json();
  expect(some).toMatchObject({ name, gates: expect.arrayContaining([{ key: 'percentage_of_time', value: 25 }]) });
  expect(await (await call('GET')).json()).toContainEqual(some);
  expect((await call('GET', undefined, user.token)).status).toBe(403);
  expect((await call('DELETE')).status).toBe(204);
});

describe('background jobs', () => {
  it('are shown to administrators: queues, processes, and counts', async () => {
    const { queues } = await root.SidekiqMetrics.queueMetrics();
    expect(Object.values(queues)).toEqual(
      expect.arrayContaining([{ backlog: expect.any(Number), latency: expect.any(Number) }]),
    );
    const [name] = Object.keys(queues);
    const { processes } = await root.SidekiqMetrics.processMetrics();
    expect((processes ?? []).some((one) => (one as { queues: string[] }).queues.includes(name!))).toBe(true);
    const { jobs } = await root.SidekiqMetrics.jobStats();
    expect(jobs).toMatchObject({ processed: expect.any(Number), failed: expect.any(Number), dead: expect.any(Number) });
    expect(Object.keys(await root.SidekiqMetrics.compoundMetrics()).sort()).toEqual(['jobs', 'processes', 'queues']);
    expect(await statusOf(user.client.SidekiqMetrics.queueMetrics())).toBe(403);
  });

  it('are deleted while they wait, selected by their fields', async () => {
    const [name] = Object.keys((await root.SidekiqMetrics.queueMetrics()).queues);
    const remove = (queue: string, token: string, body?: object) =>
      askJson('DELETE', `/admin/sidekiq/queues/${queue}`, { token, ...(body && { body }) });
    expect(await remove(name!, connection.token, { worker_class: 'another' })).toMatchObject({
      ...{ status: 200, body: { completed: true, deleted_jobs: 0, queue_size: expect.any(Number) } },
    });
    expect((await remove(name!, connection.token)).status).toBe(400);
    expect((await remove('none', connection.token, { worker_class: 'x' })).status).toBe(404);
    expect((await remove(name!, user.token, { worker_class: 'x' })).status).toBe(403);
    // The client sends a GET, which deletes nothing.
    expect(await statusOf(root.SidekiqQueues.remove(name!, { workerClass: name! }))).toBe(405);
  });
});
