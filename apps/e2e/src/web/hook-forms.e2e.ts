import { createHmac } from 'node:crypto';
import { PageVisitor } from '../identity/page-visitor';
import { Receiver } from '../integrations/receiver';
import { askJson, connection, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Forms of webhooks of projects and groups: creation, edits, tests, deliveries and deletion, with a real receiver. */

const evil = `"><script>alert(1)</script>`;
const escaped = '&quot;>&lt;script>alert(1)&lt;/script>';
const visitor = new PageVisitor();
const receiver = new Receiver();
let owner: Awaited<ReturnType<typeof newUser>>;

beforeAll(async () => {
  owner = await newUser('owner');
  await Promise.all([receiver.start(), visitor.signIn(owner.username, owner.password)]);
});
afterAll(() => receiver.stop());

/** The problems at the top of a page. */
const alertOf = (text: string): string | undefined => /role="alert">([^<]*)</.exec(text)?.[1];
const pathOf = ({ url }: Response) => new URL(url).pathname;
/** The signature of what the receiver got. */
function signatureOf({ headers, body }: ReturnType<Receiver['at']>[number], key: string): string {
  const signed = [headers['webhook-id'], headers['webhook-timestamp'], JSON.stringify(body)].join('.');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}
/** The fields of the form of a hook that stay as they are. */
const fieldsOf = (path: string) => ({
  url: receiver.url(path),
  branch_filter_strategy: 'wildcard',
  enable_ssl_verification: '1',
});

describe.each(['project', 'group'] as const)('of a %s', (kind) => {
  let base: string;
  let id: number;
  /** The project, or one of the group. */
  let projectId: number;

  beforeAll(async () => {
    const path = uniqueName('hook-forms');
    const group = await root.Groups.create(path, path, { visibility: 'public' });
    const project = await root.Projects.create({
      ...{ name: 'Tool', path: 'tool', namespaceId: group.id, visibility: 'public', initializeWithReadme: true },
    });
    projectId = project.id;
    [id, base] = kind === 'project' ? [project.id, `/${path}/tool/-/hooks`] : [group.id, `/groups/${path}/-/hooks`];
    if (kind === 'project') await root.ProjectMembers.add(id, 40, { userId: owner.id });
    else await root.GroupMembers.add(id, 50, { userId: owner.id });
  });

  const createOther = async (prefix: string): Promise<{ id: number; base: string }> => {
    const path = uniqueName(prefix);
    if (kind === 'group') return { id: (await root.Groups.create(path, path)).id, base: `/groups/${path}` };
    const other = await root.Projects.create({ name: path, path, visibility: 'public' });
    return { id: other.id, base: `/${other.path_with_namespace}` };
  };
  const api = async (method: string, below: string, body?: object) =>
    (await askJson(method, `/${kind}s/${id}/hooks${below}`, { token: connection.token, ...(body && { body }) })).body;
  const show = (hookId: unknown) => api('GET', `/${hookId}`);
  /** A new hook for a path of the receiver, which gets nothing but tests. */
  const newHook = (path: string, fields: object = {}) =>
    api('POST', '', { url: receiver.url(path), push_events: false, ...fields });
  const hooksNamed = async (name: string) =>
    ((await api('GET', '?per_page=100')) as unknown as { id: number; name: string }[]).filter(
      (one) => one.name === name,
    );
  const edit = (hookId: unknown) => visitor.load(`${base}/${hookId}/edit`);
  const create = async (fields: Record<string, string>) => visitor.submit(await visitor.load(base), fields, 'new-hook');
  it('a webhook is added, and gets its events with its token', async () => {
    const path = `/${uniqueName('added')}`;
    const page = await visitor.load(base);
    const text = await page.clone().text();
    for (const name of ['push_events', 'enable_ssl_verification'])
      expect(text).toMatch(new RegExp(`name="${name}" value="1" checked`));
    expect(text).not.toMatch(/name="issues_events" value="1" checked/);
    const secret = uniqueName('secret');
    const added = await visitor.submit(
      page,
      {
        ...{ url: receiver.url(path), name: `A hook ${evil}`, secret_token: secret, issues_events: '1' },
        ...{ push_events_branch_filter: 'release/*', branch_filter_strategy: 'wildcard' },
      },
      'new-hook',
    );
    const list = await added.text();
    expect([added.status, pathOf(added), list.includes('Issues')]).toEqual([200, base, true]);
    expect(list).toContain(`A hook ${escaped}`);
    expect(list).not.toContain('<script');
    expect(list).not.toContain(secret);
    const hooks = (await askJson('GET', `/${kind}s/${id}/hooks`, { token: connection.token })).body;
    const hook = (hooks as unknown as { name: string }[]).find(({ name }) => name === `A hook ${evil}`);
    expect(hook).toMatchObject({
      ...{ url: receiver.url(path), push_events: false, issues_events: true, enable_ssl_verification: false },
      ...{ push_events_branch_filter: 'release/*', branch_filter_strategy: 'wildcard' },
    });
    await root.Issues.create(projectId, 'Hooked');
    const received = await until('the issue', () => receiver.at(path)[0]);
    expect(received.headers).toMatchObject({ 'x-gitlab-event': 'Issue Hook', 'x-gitlab-token': secret });
  });

  it('a webhook that is sent twice is added once', async () => {
    const url = receiver.url(`/${uniqueName('twice')}`);
    const page = await visitor.load(base);
    const send = () =>
      visitor.submit(page.clone() as Response, { url, branch_filter_strategy: 'wildcard' }, 'new-hook');
    await Promise.all([send(), send()]);
    const hooks = (await api('GET', '?per_page=100')) as unknown as { url: string }[];
    expect(hooks.filter((hook) => hook.url === url)).toHaveLength(1);
  });

  it('a refused webhook is shown as it was typed, without its token', async () => {
    const secret = uniqueName('secret');
    for (const [fields, problem] of [
      [{ url: '' }, 'URL is empty.'],
      [{ url: `ftp://example.com/${evil}` }, 'Hooks are called by http and https'],
      [{ url: 'http://10.0.0.1/' }, 'The address leads into the local network'],
      [
        { url: receiver.url('/'), push_events_branch_filter: '(', branch_filter_strategy: 'regex' },
        'Branches is invalid.',
      ],
    ] as const) {
      const typed = { branch_filter_strategy: 'wildcard', ...fields, name: evil, secret_token: secret };
      const refused = await create({ ...typed, tag_push_events: '1' });
      const text = await refused.text();
      expect([fields, refused.status, alertOf(text)]).toEqual([fields, 422, expect.stringContaining(problem)]);
      expect(text).toMatch(/<p id="(new-hook--\w+-problem)" class="wrong">.*aria-describedby="[^"]*\1"/s);
      expect(text).toContain(`value="${escaped}"`);
      expect(text).toMatch(/name="tag_push_events" value="1" checked/);
      expect(text).not.toMatch(/name="push_events" value="1" checked/);
      expect(text).toContain('Enter it again');
      for (const hidden of ['<script', secret]) expect(text).not.toContain(hidden);
    }
  });

  it('a form that no page shows again does not repeat the token', async () => {
    const secret = uniqueName('secret');
    const sent = new URLSearchParams({ form: 'new-hook', url: 'http://127.0.0.1:1/typed', secret_token: secret });
    for (const name of ['signing_token', 'custom_headers', 'url_variables']) sent.set(`secret_${name}`, `a=${secret}`);
    const text = await (await visitor.send(base, sent)).text();
    expect(text).toContain('http://127.0.0.1:1/typed');
    expect(text).not.toContain(secret);
  });

  it('a webhook is added with a signing token, headers and variables, which no page shows', async () => {
    const name = uniqueName('signed');
    const secret = uniqueName('secret');
    const added = await create({
      ...{ url: receiver.url(`/{at}/${name}`), name, branch_filter_strategy: 'wildcard' },
      ...{ secret_token: 'hidden-token', secret_signing_token: secret, secret_url_variables: `at=${secret}-path` },
      secret_custom_headers: `X-Key: Bearer ${secret}:1\r\n\r\n X-Two : two\r\n`,
    });
    const list = await added.text();
    const { id: hookId } = (await hooksNamed(name))[0]!;
    await api('POST', `/${hookId}/test/push_events`);
    const path = `/${secret}-path/${name}`;
    const received = receiver.at(path)[0]!;
    expect(received.headers).toMatchObject({
      'x-key': `Bearer ${secret}:1`,
      'x-two': 'two',
      'x-gitlab-token': 'hidden-token',
    });
    expect(received.headers['webhook-signature']).toBe(signatureOf(received, secret));
    const text = await (await edit(hookId)).text();
    expect(text).toContain('Set now: X-Key, X-Two. New lines replace all of them; an empty field keeps them.');
    expect(text).toContain('Set now: at. New lines');
    const [log] = /\/hook_logs\/\d+/.exec(text)!;
    const delivery = await (await visitor.load(`${base}/${hookId}${log}`)).text();
    for (const shown of [list, text, delivery]) expect(shown).not.toContain(secret);
  });

  it('headers and variables are kept, replaced and removed, each on its own', async () => {
    const name = uniqueName('replaced');
    const { id: hookId } = await newHook(`/{at}/${name}`, {
      ...{ signing_token: 'first', url_variables: [{ key: 'at', value: 'old' }] },
      custom_headers: [
        { key: 'X-Old', value: 'hidden-old' },
        { key: 'X-Both', value: 'hidden-both' },
      ],
    });
    const save = async (fields: Record<string, string>) =>
      (await visitor.change(await edit(hookId), fields, 'hook')).text();
    const sentTo = async (path: string) => {
      await api('POST', `/${hookId}/test/push_events`);
      return receiver.at(path).at(-1)!;
    };
    await save({ name });
    const kept = await sentTo(`/old/${name}`);
    expect(kept.headers).toMatchObject({
      ...{ 'x-old': 'hidden-old', 'x-both': 'hidden-both', 'webhook-signature': signatureOf(kept, 'first') },
    });

    const replaced = await save({ secret_custom_headers: 'X-Both: hidden-new' });
    expect(replaced).toContain('The changes are saved.');
    for (const hidden of ['X-Old', 'hidden-']) expect(replaced).not.toContain(hidden);
    const { headers } = await sentTo(`/old/${name}`);
    expect(headers).toMatchObject({ 'x-both': 'hidden-new' });
    expect(headers).not.toHaveProperty('x-old');

    await save({ secret_url_variables: 'at=new', secret_signing_token: 'second' });
    const signed = await sentTo(`/new/${name}`);
    expect(signed.headers).toMatchObject({
      ...{ 'x-both': 'hidden-new', 'webhook-signature': signatureOf(signed, 'second') },
    });

    const removed = await save({ remove_custom_headers: '1' });
    for (const gone of ['X-Both', 'remove_custom_headers']) expect(removed).not.toContain(gone);
    expect(removed).toContain('name="remove_url_variables"');
    expect(await show(hookId)).toMatchObject({ custom_headers: [], url_variables: [{ key: 'at' }] });
    expect((await sentTo(`/new/${name}`)).headers).not.toHaveProperty('x-both');

    await save({ remove_url_variables: '1', url: receiver.url(`/none/${name}`) });
    expect(await show(hookId)).toMatchObject({ custom_headers: [], url_variables: [] });
    const last = await sentTo(`/none/${name}`);
    expect(last.headers['webhook-signature']).toBe(signatureOf(last, 'second'));
  });

  it('each token is removed on its own', async () => {
    const path = `/${uniqueName('removed')}`;
    const { id: hookId } = await newHook(path, { token: 'hidden-token', signing_token: 'hidden-key' });
    const headersAfter = async (fields: Record<string, string>) => {
      await visitor.change(await edit(hookId), fields, 'hook');
      await api('POST', `/${hookId}/test/push_events`);
      return receiver.at(path).at(-1)!;
    };
    const unsigned = await headersAfter({ remove_signing_token: '1' });
    expect(unsigned.headers['x-gitlab-token']).toBe('hidden-token');
    // Without a key of its own, the signature is made with the token.
    expect(unsigned.headers['webhook-signature']).toBe(signatureOf(unsigned, 'hidden-token'));
    const { headers } = await headersAfter({ remove_token: '1' });
    for (const gone of ['x-gitlab-token', 'webhook-signature']) expect(headers).not.toHaveProperty(gone);
    const replaced = await headersAfter({ remove_token: '1', secret_token: 'new-token' });
    expect(replaced.headers['x-gitlab-token']).toBe('new-token');
  });

  it('a password in a refused URL is not repeated', async () => {
    const url = 'http://ada:hidden-value@10.0.0.1/';
    const { id: hookId } = await newHook(`/${uniqueName('refused')}`);
    for (const refused of [await create({ url }), await visitor.change(await edit(hookId), { url }, 'hook')]) {
      const text = await refused.text();
      expect([refused.status, alertOf(text)]).toEqual([422, expect.stringContaining('leads into the local network')]);
      expect(text).toContain('value="http://ada@10.0.0.1/"');
      expect(text).toContain('Enter the password again: this page does not repeat it.');
      expect(text).not.toContain('hidden-value');
    }
  });

  it.each([
    ['custom_headers', 'X-Key: v\nhidden-value', 'Custom headers cannot be saved: line 2 has no colon.'],
    ['custom_headers', 'Host: hidden-value', 'Custom headers cannot be saved: the name in line 1 is not permitted.'],
    [
      'custom_headers',
      `X-Key: hidden-value${'x'.repeat(2048)}`,
      'Custom headers cannot be saved: the value in line 1 is too long.',
    ],
    ['custom_headers', 'X: hidden-value\n'.repeat(21), 'Custom headers cannot be saved: there are more than 20.'],
    ['url_variables', 'hidden-value', 'Variables of the URL cannot be saved: line 1 has no equals sign.'],
    ['signing_token', `hidden-value${'x'.repeat(2048)}`, 'Signing token is too long.'],
    ['token', `hidden-value${'x'.repeat(2048)}`, 'Secret token is too long.'],
  ])('refuses wrong %s beside the field, and repeats no value', async (parameter, typed, problem) => {
    const path = `/${uniqueName('wrong')}`;
    const custom_headers = [{ key: 'X-Old', value: 'old' }];
    const before = await newHook(path, { custom_headers });
    const fields = { ...fieldsOf(path), name: 'Typed', [`secret_${parameter}`]: typed, remove_custom_headers: '1' };
    for (const [form, page] of [
      ['hook', await edit(before.id)],
      ['new-hook', await visitor.load(base)],
    ] as const) {
      const refused = await visitor.submit(page, fields, form);
      const text = await refused.text();
      expect([refused.status, alertOf(text)]).toEqual([422, problem]);
      const field = `${form}--secret_${parameter}`;
      expect(text).toContain(`<p id="${field}-problem" class="wrong">${problem}</p>`);
      expect(text).toMatch(new RegExp(` id="${field}"[^>]* aria-invalid="true"`));
      expect(text).toMatch(/Enter (it|all lines) again: this page does not repeat/);
      expect(text).toContain('value="Typed"');
      expect(text).not.toContain('hidden-value');
      if (form === 'hook') expect(text).toContain('name="remove_custom_headers" value="1" checked');
    }
    expect(await show(before.id)).toEqual(before);
    expect(await hooksNamed('Typed')).toEqual([]);
  });

  it('refuses a changed URL with a masked password, and keeps the password of an unchanged one', async () => {
    const path = `/${uniqueName('masked')}`;
    const withPassword = receiver.url(path).replace('//', '//ada:pass@');
    const before = await newHook(path, { url: withPassword });
    const masked = withPassword.replace('ada:pass', '*****:*****');
    const page = await edit(before.id);
    expect(await page.clone().text()).toContain(`value="${masked}"`);
    const refused = await visitor.change(page, { url: `${masked}/x`, name: 'Other' }, 'hook');
    const text = await refused.clone().text();
    expect([refused.status, alertOf(text)]).toEqual([422, expect.stringContaining('The URL contains *****')]);
    expect(text).toMatch(
      /<p id="hook--url-problem" class="wrong">URL contains \*{5} as name or password: enter the real/,
    );
    expect(text).toContain(`value="${masked}/x"`);
    expect(await show(before.id)).toEqual(before);
    await visitor.change(refused, { url: masked }, 'hook');
    expect(await show(before.id)).toMatchObject({ url: masked, name: 'Other' });
    await api('POST', `/${before.id}/test/push_events`);
    const basic = `Basic ${Buffer.from('ada:pass').toString('base64')}`;
    expect(receiver.at(path).at(-1)!.headers.authorization).toBe(basic);
    const byApi = await askJson('PUT', `/${kind}s/${id}/hooks/${before.id}`, {
      ...{ token: connection.token, body: { url: `${masked}/x` } },
    });
    expect([byApi.status, byApi.body]).toEqual([
      ...[400, { message: { url: [expect.stringContaining('contains ***** as name or password')] } }],
    ]);
  });

  describe('a webhook', () => {
    it('keeps what the form does not change: the token, headers, variables and other events', async () => {
      const path = `/${uniqueName('kept')}`;
      const { id: hookId } = await newHook(path, {
        ...{ token: 'first', job_events: true, description: 'By API' },
        ...{
          custom_headers: [{ key: 'X-Own', value: 'hidden-value' }],
          url_variables: [{ key: 'v', value: 'hidden' }],
        },
      });
      const page = await edit(hookId);
      const text = await page.clone().text();
      for (const shown of [
        'X-Own',
        'If this field is empty, the token does not change.',
        'job_events" value="1" checked',
      ])
        expect(text).toContain(shown);
      for (const hidden of ['hidden-value', 'first']) expect(text).not.toContain(hidden);
      const saved = await visitor.submit(page, { ...fieldsOf(path), name: evil, job_events: '1' }, 'hook');
      const after = await saved.text();
      expect([saved.status, after.includes('The changes are saved.'), after.includes('<script')]).toEqual([
        ...[200, true, false],
      ]);
      expect(await show(hookId)).toMatchObject({
        ...{ name: evil, job_events: true, description: 'By API', enable_ssl_verification: true },
        ...{ custom_headers: [{ key: 'X-Own' }], url_variables: [{ key: 'v' }] },
      });
      await api('POST', `/${hookId}/test/push_events`);
      expect(receiver.at(path).at(-1)!.headers).toMatchObject({ 'x-gitlab-token': 'first', 'x-own': 'hidden-value' });
      const fields = { ...fieldsOf(path), name: evil, job_events: '1', secret_token: 'second' };
      await visitor.submit(await edit(hookId), fields, 'hook');
      await api('POST', `/${hookId}/test/push_events`);
      expect(receiver.at(path).at(-1)!.headers['x-gitlab-token']).toBe('second');
    });

    it('keeps what two users change at the same time, or refuses the second one', async () => {
      const path = `/${uniqueName('both')}`;
      const { id: hookId } = await newHook(path, { name: 'Old' });
      const [first, second] = [await edit(hookId), await edit(hookId)];
      await api('PUT', `/${hookId}`, { name: 'By API', note_events: true });
      await visitor.submit(first, { ...fieldsOf(path), name: 'Old', issues_events: '1' }, 'hook');
      expect(await show(hookId)).toMatchObject({ name: 'By API', note_events: true, issues_events: true });
      const refused = await visitor.submit(second, { ...fieldsOf(path), name: 'Own' }, 'hook');
      const text = await refused.clone().text();
      expect([refused.status, text.includes('value="Own"')]).toEqual([422, true]);
      expect(text).toContain('Name was changed by somebody else meanwhile');
      await visitor.submit(refused, { ...fieldsOf(path), name: 'Own', note_events: '1', issues_events: '1' }, 'hook');
      expect(await show(hookId)).toMatchObject({ name: 'Own', note_events: true, issues_events: true });
    });

    it('is tested, and shows its deliveries', async () => {
      const path = `/${uniqueName('tested')}`;
      const { id: hookId } = await newHook(path, { name: 'Tested', token: 'hidden-token' });
      const tested = await visitor.submit(await edit(hookId), { trigger: 'tag_push_events' }, 'test');
      const text = await tested.clone().text();
      expect([pathOf(tested), text.includes('The receiver accepted the event.')]).toEqual([
        ...[`${base}/${hookId}/edit`, true],
      ]);
      expect(receiver.at(path)[0]!.headers['x-gitlab-event']).toBe('Tag Push Hook');
      const [, log] = new RegExp(`href="(${base}/${hookId}/hook_logs/\\d+)"`).exec(text)!;
      for (const shown of ['tag push', 'Response: 200', 'sent']) expect(text).toContain(shown);
      await visitor.submit(tested, {}, 'resend');
      expect(receiver.at(path)).toHaveLength(2);
      const delivery = await visitor.load(log!);
      const details = await delivery.clone().text();
      for (const shown of ['X-Gitlab-Event: Tag Push Hook', '&quot;tag_push&quot;', 'thanks', 'Response: 200'])
        expect(details).toContain(shown);
      expect(details).not.toContain('hidden-token');
      const resent = await visitor.submit(delivery, {}, 'resend');
      expect([pathOf(resent), (await resent.text()).includes('The receiver accepted the event.')]).toEqual([log, true]);
      expect(receiver.at(path)).toHaveLength(3);
    });

    it('shows why a test was not delivered', async () => {
      const path = `/${uniqueName('refused')}`;
      const { id: hookId } = await newHook(path, { name: evil });
      receiver.answers.set(path, { status: 400, body: `No ${evil}` });
      const refused = await visitor.submit(await edit(hookId), { trigger: 'issues_events' }, 'test');
      const text = await refused.text();
      expect([refused.status, alertOf(text)]).toEqual([422, expect.stringContaining('Hook execution failed')]);
      for (const shown of ['Response: 400', '<option value="issues_events" selected']) expect(text).toContain(shown);
      expect(text).not.toContain('<script');
      const [log] = /\/hook_logs\/\d+/.exec(text)!;
      const delivery = await visitor.load(`${base}/${hookId}${log}`);
      const details = await delivery.clone().text();
      expect([details.includes(`No ${escaped}`), details.includes('<script')]).toEqual([true, false]);
      const resent = await visitor.submit(delivery, {}, 'resend');
      expect([resent.status, alertOf(await resent.text())]).toEqual([
        ...[422, expect.stringContaining('Hook execution failed')],
      ]);
    });

    it('is deleted at a second step', async () => {
      const { id: hookId } = await newHook('/deleted');
      const page = await edit(hookId);
      expect(await page.clone().text()).toMatch(/<details><summary[^>]*>Delete…<\/summary><p>[^<]*<\/p><form/);
      expect(pathOf(await visitor.submit(page, {}, 'delete'))).toBe(base);
      expect((await edit(hookId)).status).toBe(404);
    });

    it.each(['0/edit', '999999/edit', 'x/edit', '999999/hook_logs/1'])('at %s is not found', async (below) => {
      expect((await visitor.load(`${base}/${below}`)).status).toBe(404);
    });

    it('of another one is not found, nor is its delivery', async () => {
      const other = await createOther('other');
      const { id: hookId } = await newHook(`/${uniqueName('own')}`);
      await api('POST', `/${hookId}/test/push_events`);
      const [log] = /\/hook_logs\/\d+/.exec(await (await edit(hookId)).text())!;
      const administrator = new PageVisitor();
      await administrator.signIn(connection.username, connection.password);
      const elsewhere = `${other.base}/-/hooks/${hookId}`;
      for (const path of [`${elsewhere}/edit`, `${elsewhere}${log}`])
        expect((await administrator.load(path)).status).toBe(404);
      expect((await administrator.load(`${base}/${hookId}${log}`)).status).toBe(200);
    });
  });

  it('many webhooks are on several pages', async () => {
    const other = await createOther('many');
    const hooks = kind === 'project' ? root.ProjectHooks : root.GroupHooks;
    for (let at = 1; at <= 21; at += 1) await hooks.add(other.id, `http://127.0.0.1:1/at-${at}-end`);
    const administrator = new PageVisitor();
    await administrator.signIn(connection.username, connection.password);
    const path = `${other.base}/-/hooks`;
    const text = async (query: string) => (await administrator.load(path + query)).text();
    const [first, second] = [await text(''), await text('?page=2')];
    for (const [page, shown, hidden, link] of [
      [first, 'at-20-end', 'at-21-end', 'rel="next" href="?page=2"'],
      [second, 'at-21-end', 'at-20-end', 'rel="prev" href="?page=1"'],
    ] as const)
      expect([page.includes(shown), page.includes(hidden), page.includes(link)]).toEqual([true, false, true]);
  });
});

it('a webhook of a group gets events of members, subgroups and projects', async () => {
  const name = uniqueName('group-events');
  const group = await root.Groups.create(name, name);
  await root.GroupMembers.add(group.id, 50, { userId: owner.id });
  const base = `/groups/${name}/-/hooks`;
  const path = `/${uniqueName('added')}`;
  const events = { member_events: '1', subgroup_events: '1', project_events: '1' };
  const fields = { url: receiver.url(path), branch_filter_strategy: 'wildcard', ...events };
  const list = await (await visitor.submit(await visitor.load(base), fields, 'new-hook')).text();
  expect(list).toContain('Members, Subgroups, Projects');
  await root.Groups.create('Below', 'below', { parentId: group.id });
  await until('the subgroup', () =>
    receiver.at(path).find(({ headers }) => headers['x-gitlab-event'] === 'Subgroup Hook'),
  );
  const [, edit] = new RegExp(`href="(${base}/\\d+/edit)"`).exec(list)!;
  const tested = await visitor.submit(await visitor.load(edit!), { trigger: 'member_events' }, 'test');
  expect(await tested.text()).toContain('The receiver accepted the event.');
  const project = await root.Projects.create({ name: uniqueName('none'), visibility: 'public' });
  const administrator = new PageVisitor();
  await administrator.signIn(connection.username, connection.password);
  const ofProject = await (await administrator.load(`/${project.path_with_namespace}/-/hooks`)).text();
  expect(ofProject).not.toContain('member_events');
});

it('webhooks can be changed in an archived project', async () => {
  const project = await root.Projects.create({ name: uniqueName('archived'), visibility: 'public' });
  await root.Projects.archive(project.id);
  const administrator = new PageVisitor();
  await administrator.signIn(connection.username, connection.password);
  const at = `/${project.path_with_namespace}/-/hooks`;
  const fields = { url: 'http://127.0.0.1:1/', branch_filter_strategy: 'wildcard' };
  await administrator.submit(await administrator.load(at), fields, 'new-hook');
  expect(await root.ProjectHooks.all(project.id)).toHaveLength(1);
});
