import { PageVisitor } from '../identity/page-visitor';
import { Receiver } from '../integrations/receiver';
import { askJson, connection, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Forms of hooks of the instance, with a real receiver. Other tests cause events as well: each test has a path. */

const evil = `"><script>alert(1)</script>`;
const escaped = '&quot;>&lt;script>alert(1)&lt;/script>';
const visitor = new PageVisitor();
const receiver = new Receiver();
const base = '/admin/hooks';

beforeAll(() => Promise.all([receiver.start(), visitor.signIn(connection.username, connection.password)]));
afterAll(async () => {
  for (const { id, url } of await hooks()) if (url.startsWith(receiver.url(''))) await api('DELETE', `/${id}`);
  receiver.stop();
});

interface Hook {
  id: number;
  name: string;
  url: string;
}

const api = async (method: string, below: string, body?: object) =>
  (await askJson(method, `/hooks${below}`, { token: connection.token, ...(body && { body }) })).body;
const hooks = async () => (await api('GET', '?per_page=100')) as unknown as Hook[];
const hookAt = async (path: string) => (await hooks()).find(({ url }) => url === receiver.url(path));
const newHook = async (path: string, fields: object = {}) =>
  (await api('POST', '', { url: receiver.url(path), ...fields })) as unknown as Hook;
const edit = ({ id }: Hook) => visitor.load(`${base}/${id}/edit`);
const pathOf = ({ url }: Response) => new URL(url).pathname;
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];

it('a hook is added, and gets events of the instance with its token', async () => {
  const path = `/${uniqueName('added')}`;
  const secret = uniqueName('secret');
  const fields = { url: receiver.url(path), name: `A hook ${evil}`, secret_token: secret, tag_push_events: '1' };
  const added = await visitor.change(await visitor.load(base), fields, 'new-hook');
  const text = await added.text();
  expect([added.status, pathOf(added)]).toEqual([200, base]);
  for (const hidden of ['<script', secret]) expect(text).not.toContain(hidden);
  expect(await hookAt(path)).toMatchObject({
    ...{ name: `A hook ${evil}`, tag_push_events: true, push_events: false, repository_update_events: true },
    ...{ enable_ssl_verification: true },
  });
  const { username } = await newUser('hooked');
  const received = await until('the new user', () =>
    receiver.at(path).find(({ body }) => body.event_name === 'user_create' && body.username === username),
  );
  expect(received.headers).toMatchObject({ 'x-gitlab-event': 'System Hook', 'x-gitlab-token': secret });
});

it('a refused hook is shown as it was typed, without its token', async () => {
  const secret = uniqueName('secret');
  for (const [url, problem] of [
    [`ftp://example.com/${evil}`, 'Hooks are called by http and https'],
    ['', 'URL is empty.'],
  ] as const) {
    const fields = { url, name: evil, secret_token: secret, push_events: '1', enable_ssl_verification: '' };
    const refused = await visitor.change(await visitor.load(base), fields, 'new-hook');
    const text = await refused.text();
    expect([url, refused.status, alertOf(text)]).toEqual([url, 422, expect.stringContaining(problem)]);
    expect(text).toContain(`value="${escaped}"`);
    expect(text).toMatch(/name="push_events" value="1" checked/);
    expect(text).not.toMatch(/name="enable_ssl_verification" value="1" checked/);
    for (const hidden of ['<script', secret]) expect(text).not.toContain(hidden);
  }
});

it('a hook is changed, and keeps its token and what others change', async () => {
  const path = `/${uniqueName('kept')}`;
  const custom_headers = [{ key: 'X-Own', value: 'own' }];
  const hook = await newHook(path, { token: 'first', custom_headers, name: 'Old', repository_update_events: false });
  const [first, second] = [await edit(hook), await edit(hook)];
  await api('PUT', `/${hook.id}`, { name: 'By API' });
  const saved = await visitor.change(first, { merge_requests_events: '1', description: 'Own' }, 'hook');
  expect([pathOf(saved), (await saved.text()).includes('The changes are saved.')]).toEqual([pathOf(first), true]);
  expect(await hookAt(path)).toMatchObject({
    ...{ name: 'By API', merge_requests_events: true, repository_update_events: false, description: 'Own' },
    custom_headers: [{ key: 'X-Own' }],
  });
  const refused = await visitor.change(second, { name: 'Mine' }, 'hook');
  expect([refused.status, alertOf(await refused.text())]).toEqual([
    ...[422, expect.stringContaining('Name was changed by somebody else meanwhile')],
  ]);
  await api('POST', `/${hook.id}`);
  expect(receiver.at(path).at(-1)!.headers).toMatchObject({ 'x-gitlab-token': 'first', 'x-own': 'own' });
  await visitor.change(await edit(hook), { secret_token: 'second' }, 'hook');
  await api('POST', `/${hook.id}`);
  expect(receiver.at(path).at(-1)!.headers).toMatchObject({ 'x-gitlab-token': 'second' });
});

it('a hook gets a signing token, headers and variables, which no page shows', async () => {
  const [name, secret] = [uniqueName('signed'), uniqueName('secret')];
  const url = receiver.url(`/{at}/${name}`);
  const added = await visitor.change(
    await visitor.load(base),
    {
      ...{ url, name, secret_signing_token: secret, secret_custom_headers: `X-Key: ${secret}` },
      secret_url_variables: `at=${secret}`,
    },
    'new-hook',
  );
  const hook = (await hookAt(`/{at}/${name}`))!;
  expect(hook).toMatchObject({ custom_headers: [{ key: 'X-Key' }], url_variables: [{ key: 'at' }] });
  await api('POST', `/${hook.id}`);
  const { headers } = receiver.at(`/${secret}/${name}`).at(-1)!;
  expect(headers).toMatchObject({ 'x-key': secret, 'webhook-signature': expect.stringMatching(/^v1,/) });
  const page = await edit(hook);
  const text = await page.clone().text();
  for (const shown of ['Set now: X-Key.', 'Set now: at.']) expect(text).toContain(shown);
  for (const shown of [text, await added.text()]) expect(shown).not.toContain(secret);
  const refused = await visitor.change(page, { secret_custom_headers: secret }, 'hook');
  const again = await refused.clone().text();
  expect([refused.status, alertOf(again)]).toEqual([422, 'Custom headers cannot be saved: line 1 has no colon.']);
  expect(again).not.toContain(secret);
  await visitor.change(refused, { remove_custom_headers: '1', secret_url_variables: 'at=new' }, 'hook');
  expect(await hookAt(`/{at}/${name}`)).toMatchObject({ custom_headers: [], url_variables: [{ key: 'at' }] });
  await api('POST', `/${hook.id}`);
  expect(receiver.at(`/new/${name}`).at(-1)!.headers).not.toHaveProperty('x-key');
});

it('a hook is tested, and shows its deliveries with request and response', async () => {
  const path = `/${uniqueName('tested')}`;
  const hook = await newHook(path, { name: 'Tested', token: 'hidden-token' });
  receiver.answers.set(path, { status: 200, body: `Thanks ${evil}` });
  const tested = await visitor.submit(await edit(hook), {}, 'test');
  const text = await tested.text();
  expect([pathOf(tested), text.includes('The event was sent.')]).toEqual([`${base}/${hook.id}/edit`, true]);
  const isTest = ({ body }: { body: { name?: string } }) => body.name === 'Ruby';
  expect(receiver.at(path).filter(isTest)).toHaveLength(1);
  const log = await logOfTest(text);
  const page = await visitor.load(log);
  const details = await page.clone().text();
  for (const shown of ['X-Gitlab-Event: System Hook', '&quot;project_create&quot;', `Thanks ${escaped}`])
    expect(details).toContain(shown);
  for (const hidden of ['hidden-token', '<script']) expect(details).not.toContain(hidden);
  const resent = await visitor.submit(page, {}, 'resend');
  expect([pathOf(resent), (await resent.text()).includes('The event was sent.')]).toEqual([log, true]);
  expect(receiver.at(path).filter(isTest)).toHaveLength(2);
  receiver.answers.set(path, { status: 400, body: 'No' });
  const refused = await visitor.submit(await visitor.load(log), {}, 'resend');
  expect([refused.status, alertOf(await refused.text())]).toEqual([
    ...[422, expect.stringContaining('Hook execution failed')],
  ]);
});

/** The delivery of the test among events of other tests. */
async function logOfTest(text: string): Promise<string> {
  for (const [, log] of text.matchAll(/href="(\/admin\/hooks\/\d+\/hook_logs\/\d+)"/g))
    if ((await (await visitor.load(log!)).text()).includes('&quot;Ruby&quot;')) return log!;
  throw new Error('No delivery of the test');
}

it('a hook is deleted at a second step', async () => {
  const path = `/${uniqueName('deleted')}`;
  const hook = await newHook(path);
  expect(pathOf(await visitor.submit(await edit(hook), {}, 'delete'))).toBe(base);
  expect((await edit(hook)).status).toBe(404);
  expect(await hookAt(path)).toBeUndefined();
});

it('the delivery of another hook is not found', async () => {
  const [one, two] = [await newHook(`/${uniqueName('one')}`), await newHook(`/${uniqueName('two')}`)];
  const log = await logOfTest(await (await visitor.submit(await edit(one), {}, 'test')).text());
  expect((await visitor.load(log)).status).toBe(200);
  expect((await visitor.load(log.replace(`/${one.id}/`, `/${two.id}/`))).status).toBe(404);
});

it.each(['0/edit', '999999/edit', 'x/edit', '999999/hook_logs/1'])('a hook at %s is not found', async (below) => {
  expect((await visitor.load(`${base}/${below}`)).status).toBe(404);
});
