import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  createProjectHook,
  getIntegration,
  getProjectHook,
  getProjectHookEvent,
  listIntegrations,
  listProjectHookEvents,
  type ProjectRef,
  pushReceived,
  setIntegration,
  testProjectHook,
  updateProjectHook,
} from '@moothall/contracts';
import { makeTokenKey } from '@moothall/infrastructure';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { eventually } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { Deliverer } from '../src/delivery/deliverer';
import type { Delivery } from '../src/delivery/delivery.schema';
import type { DeliveryQueue } from '../src/delivery/delivery-queue.schema';
import { startWithReceiver } from './integrations-under-test';
import { Receiver } from './receiver';

const mailDir = temporaryFolder('mails');
let started: Awaited<ReturnType<typeof startWithReceiver>>;
let receiver: Receiver;
beforeAll(async () => {
  started = await startWithReceiver({ HOOK_OFF_AFTER: '6', MAIL_DIR: mailDir });
  receiver = started.receiver;
});
afterAll(async () => {
  await started?.stop();
  await removeTemporaryFolder(mailDir);
});

const hookTo = (project: ProjectRef, url: string, given: object = {}) =>
  started.bed.call(createProjectHook, { id: String(project.id), url, ...given }, started.bed.as(project));
const eventsOf = async (project: ProjectRef, hook_id: number) => {
  const asked = { id: String(project.id), hook_id };
  return (await started.bed.call(listProjectHookEvents, asked, started.bed.as(project))).items;
};
const push = async (project: ProjectRef, count: number) => {
  for (let n = 1; n <= count; n += 1) await started.bed.emit(pushReceived, started.bed.push(project, n));
};
const numbers = (at: string) => receiver.at(at).map(({ body }) => body.total_commits_count);

it('arrive in order, each, while the receiver fails now and then', async () => {
  const project = started.bed.project();
  let asked = 0;
  receiver.answers.set('/fails', (response) => {
    asked += 1;
    response.statusCode = asked % 4 === 1 ? 503 : 200;
    response.end();
  });
  await hookTo(project, receiver.url('/fails'));
  await push(project, 6);
  await eventually(async () => new Set(numbers('/fails')).size === 6, 'all of them');
  expect([...new Set(numbers('/fails'))]).toEqual([1, 2, 3, 4, 5, 6]);
  const keys = receiver.at('/fails').map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(6);
});

it('are read one by one, of their hook only', async () => {
  const project = started.bed.project();
  const [{ id: hook_id }, other] = [
    await hookTo(project, receiver.url('/one')),
    await hookTo(project, receiver.url('/other')),
  ];
  const [at, as] = [{ id: String(project.id), hook_id }, started.bed.as(project)];
  await started.bed.call(testProjectHook, { ...at, trigger: 'push_events' }, as);
  const [event] = await eventsOf(project, hook_id);
  const hook_event_id = event!.id;
  const read = (asked: { hook_id?: number; hook_event_id: number }) =>
    started.bed.call(getProjectHookEvent, { ...at, ...asked }, as);
  expect(await read({ hook_event_id })).toEqual(event);
  for (const asked of [{ hook_event_id: 999_999 }, { hook_event_id, hook_id: other.id }])
    await expect(read(asked)).rejects.toMatchObject({ code: 'hook.event_not_found' });
});

it('continue in one process only, if their job was considered lost and started again', async () => {
  const project = started.bed.project();
  let answerFirst = () => {};
  receiver.answers.set('/anew', (response) => {
    if (receiver.at('/anew').length > 1) response.end();
    else answerFirst = () => response.end();
  });
  const { id } = await hookTo(project, receiver.url('/anew'));
  await push(project, 3);
  await eventually(async () => receiver.at('/anew').length === 1, 'the first');
  await eventually(async () => (await eventsOf(project, id)).length === 3, 'the others in line');
  const { app } = started.under.running;
  const deliveries = app.get<Model<Delivery>>(getModelToken('Delivery'), { strict: false });
  await eventually(async () => (await deliveries.countDocuments({ line: `hook-${id}` })) === 3, 'all three to be told');
  const lines = app.get<Model<DeliveryQueue>>(getModelToken('Line'), { strict: false });
  const { _id: line, holder } = (await lines.findById(`hook-${id}`).orFail().lean<DeliveryQueue>())!;
  await app.get(Deliverer, { strict: false }).work({ line, holder: holder! }, { stalledCounter: 0 } as never);
  expect(numbers('/anew')).toEqual([1, 1, 2, 3]);
  answerFirst();
  await push(project, 4);
  await eventually(async () => numbers('/anew').length === 8, 'what comes next');
  expect(numbers('/anew')).toEqual([1, 1, 2, 3, 1, 2, 3, 4]);
  const statesOf = async () => (await eventsOf(project, id)).map(({ state }) => state);
  await eventually(async () => (await statesOf()).every((state) => state === 'sent'), 'what is noted of the last');
  expect(await statesOf()).toHaveLength(7);
});

it('do not wait for those of another receiver that hangs', async () => {
  const project = started.bed.project();
  receiver.answers.set('/hangs', () => {});
  await hookTo(project, receiver.url('/hangs'));
  await hookTo(project, receiver.url('/well'));
  await push(project, 5);
  await eventually(async () => numbers('/well').length === 5, 'those of the other');
  // It still waits for the answer to the first.
  expect(numbers('/hangs')).toEqual([1]);
});

it('are not retried if they are refused', async () => {
  const project = started.bed.project();
  receiver.answers.set('/refuses', (response) => {
    response.statusCode = 400;
    response.end('no');
  });
  const { id } = await hookTo(project, receiver.url('/refuses'));
  await push(project, 2);
  await eventually(async () => numbers('/refuses').length === 2, 'both');
  const shown = await eventually(async () => {
    const events = await eventsOf(project, id);
    return events.length === 2 ? events : undefined;
  }, 'what was answered');
  expect(shown[0]).toMatchObject({ state: 'refused', attempts: 1, response_status: '400', response_body: 'no' });
});

it('store the first bytes of an endless answer, as text', async () => {
  const project = started.bed.project();
  receiver.answers.set('/endless', (response) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const { id } = await hookTo(project, receiver.url('/endless'));
  await push(project, 1);
  await eventually(async () => (await eventsOf(project, id)).length === 1, 'its end');
  const [event] = await eventsOf(project, id);
  expect(event).toMatchObject({ state: 'sent', response_status: '200' });
  expect(event!.response_body).toHaveLength(8192);
});

it('reach a server with a self-signed certificate only if certificates are not verified', async () => {
  const { privateKey, certificate } = await makeTokenKey();
  const secure = await Receiver.start({ key: privateKey, cert: certificate });
  try {
    const project = started.bed.project();
    const { id } = await hookTo(project, secure.url('/checked'));
    await hookTo(project, secure.url('/unchecked'), { enable_ssl_verification: false });
    await push(project, 1);
    await eventually(async () => secure.at('/unchecked').length === 1, 'the one without a check');
    await eventually(async () => (await eventsOf(project, id)).length === 1, 'the other');
    expect((await eventsOf(project, id))[0]).toMatchObject({
      state: 'waiting',
      response_status: 'internal error',
      response_body: expect.stringMatching(/certificate/),
    });
    expect(secure.at('/checked')).toEqual([]);
  } finally {
    await secure.stop();
  }
});

it.each<[string, (url: string) => object]>([
  ['drone-ci', (url) => ({ drone_url: url, token: 't' })],
  ['jenkins', (url) => ({ jenkins_url: url, project_name: 'engine' })],
])('of %s are sent there too if the certificate is not verified', async (slug, settingsOf) => {
  const { privateKey, certificate } = await makeTokenKey();
  const secure = await Receiver.start({ key: privateKey, cert: certificate });
  try {
    const project = started.bed.project();
    const given = { ...settingsOf(secure.url('')), id: String(project.id), slug, enable_ssl_verification: false };
    await started.bed.call(setIntegration, given, started.bed.as(project));
    await push(project, 1);
    await eventually(async () => secure.received.length === 1, 'the request');
  } finally {
    await secure.stop();
  }
});

it('do not follow redirects', async () => {
  const project = started.bed.project();
  receiver.answers.set('/redirects', (response) => {
    response.writeHead(307, { location: receiver.url('/inside') });
    response.end();
  });
  const { id } = await hookTo(project, receiver.url('/redirects'), { token: 'a token' });
  await push(project, 1);
  await eventually(async () => (await eventsOf(project, id)).length === 1, 'its answer');
  expect((await eventsOf(project, id))[0]).toMatchObject({ state: 'refused', response_status: '307' });
  expect(receiver.at('/inside')).toEqual([]);
});

it('cannot reach the local network after it is blocked, for any hook', async () => {
  const project = started.bed.project();
  const { id } = await hookTo(project, receiver.url('/closed'));
  await started.bed.set({ allow_local_requests_from_web_hooks_and_services: false });
  try {
    await push(project, 1);
    await eventually(async () => (await eventsOf(project, id)).length === 1, 'the attempt');
    expect((await eventsOf(project, id))[0]).toMatchObject({
      state: 'refused',
      response_body: 'The address leads into the local network',
    });
    expect(receiver.at('/closed')).toEqual([]);
  } finally {
    await started.bed.set({ allow_local_requests_from_web_hooks_and_services: true });
  }
});

it('stop after failures for days: the hook is off, its maintainers get a mail, and a successful test switches it on', async () => {
  const project = started.bed.project();
  started.bed.maintainers.set(project.id, [77]);
  receiver.answers.set('/dead', (response) => {
    response.statusCode = 500;
    response.end();
  });
  const { id: hook_id } = await hookTo(project, receiver.url('/dead'));
  const asked = { id: String(project.id), hook_id };
  const status = async () => (await started.bed.call(getProjectHook, asked, started.bed.as(project))).alert_status;
  await push(project, 1);
  await eventually(async () => (await status()) === 'temporarily_disabled', 'a pause');
  await eventually(async () => (await status()) === 'disabled', 'the end', 60_000);
  const mails = await eventually(async () => {
    const files = await readdir(mailDir).catch(() => []);
    return files.filter((file) => file.endsWith('.eml')).length > 0 ? files : undefined;
  }, 'a mail');
  expect(await readFile(path.join(mailDir, mails[0]!), 'utf8')).toMatch(/^To: user-77@example.com$/m);
  const before = numbers('/dead').length;
  await push(project, 1);
  // Events are consumed in order: after the next one, the first was skipped.
  const next = started.bed.project();
  await hookTo(next, receiver.url('/next'));
  await push(next, 1);
  await eventually(async () => numbers('/next').length === 1, 'the next event');

  receiver.answers.delete('/dead');
  await started.bed.call(testProjectHook, { ...asked, trigger: 'push_events' }, started.bed.as(project));
  expect(await status()).toBe('executable');
  expect(numbers('/dead')).toHaveLength(before + 1);
  await push(project, 1);
  await eventually(async () => numbers('/dead').length === before + 2, 'what comes next');
});

it('also end for an integration: it is inactive until it is saved again', async () => {
  const project = started.bed.project();
  receiver.answers.set('/chat', (response) => {
    response.statusCode = 500;
    response.end();
  });
  const asked = { id: String(project.id), slug: 'mattermost' };
  const given: object = { webhook: receiver.url('/chat') };
  const set = () => started.bed.call(setIntegration, { ...asked, ...given }, started.bed.as(project));
  const isActive = async () => (await started.bed.call(getIntegration, asked, started.bed.as(project))).active;
  const list = () => started.bed.call(listIntegrations, { id: asked.id }, started.bed.as(project));
  await set();
  expect(await isActive()).toBe(true);
  await started.bed.emit(pushReceived, started.bed.push(project, 1));
  await eventually(async () => !(await isActive()), 'the end', 60_000);
  expect(await list()).toEqual([]);
  expect((await set()).active).toBe(true);
  expect(await isActive()).toBe(true);
  expect(await list()).toHaveLength(1);
});

it('are sent immediately after an edit', async () => {
  const project = started.bed.project();
  receiver.answers.set('/wrong', (response) => {
    response.statusCode = 500;
    response.end();
  });
  const { id: hook_id } = await hookTo(project, receiver.url('/wrong'));
  const asked = { id: String(project.id), hook_id };
  await push(project, 2);
  await eventually(async () => receiver.at('/wrong').length >= 3, 'some failures');
  await started.bed.call(updateProjectHook, { ...asked, url: receiver.url('/right') }, started.bed.as(project));
  await eventually(async () => numbers('/right').length === 2, 'both at the new address', 5_000);
  expect(numbers('/right')).toEqual([1, 2]);
});
