import {
  createSystemHook,
  deleteSystemHook,
  getSystemHook,
  getSystemHookEvent,
  hookErrors,
  listSystemHookEvents,
  listSystemHooks,
  type OutputOf,
  projectChanged,
  pushReceived,
  resendSystemHookEvent,
  testSystemHook,
  updateSystemHook,
} from '@moothall/contracts';
import { callerNamed, contextOf, eventually } from '@moothall/testing';
import { startIntegrationsService } from './integrations-under-test';
import { Receiver } from './receiver';

let started: Awaited<ReturnType<typeof startIntegrationsService>>;
let receiver: Receiver;
beforeAll(async () => {
  [started, receiver] = await Promise.all([startIntegrationsService(), Receiver.start()]);
});
afterAll(async () => {
  await started?.stop();
  await receiver?.stop();
});

const as = contextOf({ caller: callerNamed('root', { isAdmin: true }) });
const create = (given: object = {}): Promise<OutputOf<typeof createSystemHook>> =>
  started.bed.call(createSystemHook, { url: 'https://127.0.0.1:9/hook', ...given }, as);
const remove = (id: number) => started.bed.call(deleteSystemHook, { id }, as);

it('stores the given values and returns no secret', async () => {
  const hook = await create({
    url: 'https://ada:secret@127.0.0.1/{path}',
    token: 'a token',
    push_events: true,
    name: 'Build',
    custom_headers: [{ key: 'X-Key', value: 'a key' }],
    url_variables: [{ key: 'path', value: 'hidden' }],
  });
  expect(hook).toMatchObject({
    url: 'https://*****:*****@127.0.0.1/{path}',
    name: 'Build',
    push_events: true,
    tag_push_events: false,
    merge_requests_events: false,
    repository_update_events: true,
    enable_ssl_verification: true,
    alert_status: 'executable',
    disabled_until: null,
    custom_headers: [{ key: 'X-Key' }],
    url_variables: [{ key: 'path' }],
  });
  expect(JSON.stringify(hook)).not.toMatch(/secret|a token|a key|hidden/);
  expect((await started.bed.call(listSystemHooks, {}, as)).items).toContainEqual(hook);
  await remove(hook.id);
});

it('reads one hook and one of its events, for pages', async () => {
  const [{ id }, other] = [await create({ url: receiver.url('/one'), name: 'One' }), await create()];
  expect(await started.bed.call(getSystemHook, { id }, as)).toMatchObject({ id, name: 'One' });
  await started.bed.call(testSystemHook, { id }, as);
  const [event] = (await started.bed.call(listSystemHookEvents, { id }, as)).items;
  const read = (asked: { id: number; hook_event_id: number }) => started.bed.call(getSystemHookEvent, asked, as);
  expect(await read({ id, hook_event_id: event!.id })).toEqual(event);
  for (const asked of [
    { id, hook_event_id: 999_999 },
    { id: other.id, hook_event_id: event!.id },
  ])
    await expect(read(asked)).rejects.toMatchObject({ code: 'hook.event_not_found' });
  await remove(id);
  await remove(other.id);
  await expect(started.bed.call(getSystemHook, { id }, as)).rejects.toMatchObject({ code: 'hook.not_found' });
});

it('changes only the given values', async () => {
  const hook = await create({ push_events: true });
  const changed = await started.bed.call(updateSystemHook, { id: hook.id, tag_push_events: true, name: 'New' }, as);
  expect(changed).toEqual({ ...hook, tag_push_events: true, name: 'New' });
  const off = await started.bed.call(updateSystemHook, { id: hook.id, push_events: false, url: hook.url }, as);
  expect(off).toMatchObject({ push_events: false, tag_push_events: true, url: hook.url });
  await remove(hook.id);
});

it('is not found after it is deleted', async () => {
  const { id } = await create();
  await remove(id);
  await expect(remove(id)).rejects.toThrow(hookErrors.notFound());
});

it('is refused for an address with another scheme', async () => {
  await expect(create({ url: 'ftp://files.example/' })).rejects.toThrow(hookErrors.schemeBlocked());
});

it('is refused for a masked name or password that does not stand for the stored ones', async () => {
  const refusal = hookErrors.maskedCredentials();
  await expect(create({ url: receiver.url('/new', '*****:*****@') })).rejects.toThrow(refusal);
  const hook = await create({ url: receiver.url('/masked', 'ada:pass@'), token: 'a token' });
  const change = (given: object) => started.bed.call(updateSystemHook, { id: hook.id, ...given }, as);
  for (const who of ['*****:*****@', '*****:pass@', 'ada:*****@'])
    await expect(change({ url: receiver.url('/other', who), name: 'Other', token: 'other' })).rejects.toThrow(refusal);
  expect(await started.bed.call(getSystemHook, { id: hook.id }, as)).toEqual(hook);
  expect(await change({ url: hook.url, name: 'Same' })).toMatchObject({ url: hook.url, name: 'Same' });
  const sentTo = async (path: string) => {
    await started.bed.call(testSystemHook, { id: hook.id }, as);
    return receiver.at(path).at(-1)!.headers;
  };
  const basic = (who: string) => `Basic ${Buffer.from(who).toString('base64')}`;
  expect(await sentTo('/masked')).toMatchObject({ authorization: basic('ada:pass'), 'x-gitlab-token': 'a token' });
  await change({ url: receiver.url('/other', 'ada:new@') });
  expect(await sentTo('/other')).toMatchObject({ authorization: basic('ada:new'), 'x-gitlab-token': 'a token' });
  await remove(hook.id);
});

it('is refused for the local network if that is blocked', async () => {
  await started.bed.set({ allow_local_requests_from_system_hooks: false });
  try {
    for (const url of ['http://127.0.0.1/', 'http://[::1]/', 'http://169.254.169.254/latest', 'http://2130706433/'])
      await expect(create({ url })).rejects.toThrow(hookErrors.addressBlocked());
  } finally {
    await started.bed.set({ allow_local_requests_from_system_hooks: true });
  }
});

it('is sent a sample by a test, which answers it', async () => {
  const { id } = await create({ url: receiver.url('/test', 'ada:pass@'), token: 'a token' });
  const record = await started.bed.call(testSystemHook, { id }, as);
  expect(record).toEqual({
    event_name: 'project_create',
    name: 'Ruby',
    path: 'ruby',
    project_id: 1,
    owner_name: 'Someone',
    owner_email: 'example@example.com',
  });
  const [got] = receiver.at('/test');
  expect(got).toMatchObject({ method: 'POST', body: record });
  expect(got!.headers).toMatchObject({
    'content-type': 'application/json',
    'x-gitlab-event': 'System Hook',
    'x-gitlab-token': 'a token',
    'x-gitlab-event-uuid': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'x-gitlab-webhook-uuid': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    'webhook-id': expect.any(String),
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    'webhook-signature': expect.stringMatching(/^v1,/),
    authorization: `Basic ${Buffer.from('ada:pass').toString('base64')}`,
  });
  await remove(id);
});

it('answers the record of a test also if no server listens', async () => {
  const { id } = await create({ url: 'http://127.0.0.1:9/' });
  expect(await started.bed.call(testSystemHook, { id }, as)).toMatchObject({ event_name: 'project_create' });
  const { items } = await started.bed.call(listSystemHookEvents, { id }, as);
  expect(items).toMatchObject([{ response_status: 'internal error', response_body: expect.stringMatching(/ECONN/) }]);
  await remove(id);
});

it('receives the selected events, and always those of projects', async () => {
  const project = started.bed.project();
  const { id } = await create({ url: receiver.url('/told'), push_events: true });
  const other = await create({ url: receiver.url('/not-told') });
  await started.bed.emit(pushReceived, started.bed.push(project, 1));
  await started.bed.emit(projectChanged, { project_id: project.id, full_path: project.fullPath, change: 'created' });
  const names = (path: string) => receiver.at(path).map(({ body }) => body.event_name);
  await eventually(async () => names('/told').length === 2 && names('/not-told').length === 1, 'both events');
  expect(names('/told')).toEqual(['push', 'project_create']);
  expect(names('/not-told')).toEqual(['project_create']);
  expect(receiver.at('/told')[0]!.body).toMatchObject({
    object_kind: 'push',
    ref: 'refs/heads/main',
    ref_protected: false,
    user_name: 'Ada',
    project_id: project.id,
    project: { path_with_namespace: project.fullPath, git_http_url: `http://moothall.test/${project.fullPath}.git` },
    repository: { name: project.name },
    total_commits_count: 1,
  });
  expect(receiver.at('/told')[1]!.body).toMatchObject({ project_id: project.id, project_visibility: 'private' });

  // The receiver gets a request before its answer is stored.
  const listed = async () => (await started.bed.call(listSystemHookEvents, { id }, as)).items;
  await eventually(async () => (await listed()).length === 2, 'what is noted of both');
  const items = await listed();
  expect(items.map(({ trigger, response_status, state }) => [trigger, response_status, state])).toEqual([
    ['system_hooks', '200', 'sent'],
    ['push_hooks', '200', 'sent'],
  ]);
  const resent = { id, hook_event_id: items[1]!.id };
  expect(await started.bed.call(resendSystemHookEvent, resent, as)).toEqual({ response_status: 200 });
  expect(names('/told')).toEqual(['push', 'project_create', 'push']);
  await Promise.all([remove(id), remove(other.id)]);
});
