import { createHash } from 'node:crypto';
import { PageVisitor } from '../identity/page-visitor';
import { uniqueName } from '../server/connection';
import { OwnServer } from '../server/own-server';
import { until } from '../server/until';

/* Every offered setting takes effect, in each service that it concerns, within a second. */

const server = new OwnServer({ PROJECTS_LIMIT: '77' });
beforeAll(() => server.start(), 120_000);
afterAll(() => server.stop());

type Settings = Record<string, unknown>;

const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, {
    method,
    redirect: 'manual',
    headers: { 'private-token': server.token, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
const api = (method: string, path: string, body?: object, token = server.token) =>
  call(method, `/api/v4${path}`, body, { 'private-token': token });
const anonymous = (path: string) => fetch(`${server.url}${path}`, { redirect: 'manual' });
// biome-ignore lint/suspicious/noExplicitAny: what answers look like is held elsewhere
const json = async (answer: Promise<Response>): Promise<any> => (await answer).json();

async function set(settings: Settings): Promise<void> {
  const answer = await api('PUT', '/application/settings', settings);
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining(settings)]);
}

/** Waits until the change is visible, at most for the second that caches allow. */
async function soon<T>(probe: () => Promise<T>, expected: T): Promise<void> {
  const deadline = Date.now() + 1000;
  for (;;) {
    const isLate = Date.now() > deadline;
    const found = await probe();
    if (JSON.stringify(found) === JSON.stringify(expected) || isLate) {
      expect(found).toEqual(expected);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const statusOf = async (answer: Promise<Response>): Promise<number> => (await answer).status;

async function newUser(over: object = {}) {
  const username = uniqueName('user');
  const given = { username, name: username, email: `${username}@example.com`, password: `secret-${username}` };
  const user = await json(api('POST', '/users', { ...given, skip_confirmation: true, ...over }));
  const scopes = ['api', 'write_repository'];
  const impersonation = await json(api('POST', `/users/${user.id}/impersonation_tokens`, { name: 'e2e', scopes }));
  const own = await json(api('POST', `/users/${user.id}/personal_access_tokens`, { name: 'e2e', scopes }));
  return { ...user, password: given.password, impersonation: impersonation.token, token: own.token };
}

const newProject = (over: object = {}, token?: string) =>
  json(api('POST', '/projects', { name: uniqueName('project'), ...over }, token));

it('settings that nothing here obeys are neither answered nor an error', async () => {
  const answer = await api('PUT', '/application/settings', {
    signup_enabled: true,
    throttle_authenticated_api_enabled: true,
  });
  expect(answer.status).toBe(200);
  const shown = Object.keys(await json(api('GET', '/application/settings')));
  expect(shown).toEqual(Object.keys((await answer.json()) as object));
  for (const name of ['signup_enabled', 'dns_rebinding_protection_enabled', 'container_registry_token_expire_delay']) {
    expect(shown).not.toContain(name);
  }
});

describe('users', () => {
  it('default_projects_limit begins as PROJECTS_LIMIT, and counts for new users', async () => {
    expect((await newUser()).projects_limit).toBe(77);
    await set({ default_projects_limit: 1 });
    const user = await newUser();
    expect(user.projects_limit).toBe(1);
    await newProject({}, user.token);
    expect((await newProject({}, user.token)).message).toBeDefined();
    expect((await newUser({ projects_limit: 5 })).projects_limit).toBe(5);
    await set({ default_projects_limit: 77 });
  });

  it('user_default_external', async () => {
    await set({ user_default_external: true });
    expect((await newUser()).external).toBe(true);
    expect((await newUser({ external: false })).external).toBe(false);
    await set({ user_default_external: false });
    expect((await newUser()).external).toBe(false);
  });

  it('gravatar_enabled applies to identity and to users in other services', async () => {
    const user = await newUser();
    const project = await newProject({}, user.token);
    const issue = await json(api('POST', `/projects/${project.id}/issues`, { title: 'One' }, user.token));
    const shown = async () => {
      const own = await json(api('GET', '/user', undefined, user.token));
      const { author } = await json(api('GET', `/projects/${project.id}/issues/${issue.iid}`, undefined, user.token));
      const [member] = await json(api('GET', `/projects/${project.id}/members`, undefined, user.token));
      return [own.avatar_url, author.avatar_url, member.avatar_url];
    };
    expect(await shown()).toEqual([null, null, null]);
    await set({ gravatar_enabled: true });
    const digest = createHash('md5').update(user.email).digest('hex');
    const picture = `https://www.gravatar.com/avatar/${digest}?s=80&d=identicon`;
    await soon(shown, [picture, picture, picture]);
    const path = `/avatar?email=${encodeURIComponent(user.email)}`;
    expect(await json(api('GET', path))).toEqual({ avatar_url: picture });
    await set({ gravatar_enabled: false });
    await soon(shown, [null, null, null]);
  });
});

describe('signing in', () => {
  it('impersonation_tokens_enabled', async () => {
    const user = await newUser();
    const status = () => statusOf(api('GET', '/user', undefined, user.impersonation));
    expect(await status()).toBe(200);
    await set({ impersonation_tokens_enabled: false });
    await soon(status, 401);
    expect(await statusOf(api('GET', '/user', undefined, user.token))).toBe(200);
    await set({ impersonation_tokens_enabled: true });
    await soon(status, 200);
  });

  it('password_authentication_enabled_for_git does not affect tokens', async () => {
    const user = await newUser();
    const { path_with_namespace: path } = await newProject({ initialize_with_readme: true }, user.token);
    const clone = (secret: string) =>
      statusOf(
        fetch(`${server.url}/${path}.git/info/refs?service=git-upload-pack`, {
          headers: { authorization: `Basic ${Buffer.from(`${user.username}:${secret}`).toString('base64')}` },
        }),
      );
    expect(await clone(user.password)).toBe(200);
    await set({ password_authentication_enabled_for_git: false });
    await soon(() => clone(user.password), 401);
    expect(await clone(user.token)).toBe(200);
    await set({ password_authentication_enabled_for_git: true });
    await soon(() => clone(user.password), 200);
  });

  it('password_authentication_enabled_for_web, also for the password grant', async () => {
    const user = await newUser();
    const signIn = async () => (await new PageVisitor(server.url).signIn(user.username, user.password)).status;
    const grant = () => {
      const body = new URLSearchParams({ grant_type: 'password', username: user.username, password: user.password });
      return statusOf(fetch(`${server.url}/oauth/token`, { method: 'POST', body }));
    };
    expect([await signIn(), await grant()]).toEqual([200, 200]);
    await set({ password_authentication_enabled_for_web: false });
    await soon(signIn, 403);
    expect(await grant()).toBe(400);
    await set({ password_authentication_enabled_for_web: true });
    await soon(signIn, 200);
  });

  it('session_expire_delay ends sessions, also existing ones', async () => {
    const user = await newUser();
    const visitor = new PageVisitor(server.url);
    await visitor.signIn(user.username, user.password);
    const isIn = async () => (await (await visitor.load('/-/profile/applications')).text()).includes('Sign out');
    expect(await isIn()).toBe(true);
    const { MongoClient } = await import('mongodb');
    const mongo = await MongoClient.connect(server.mongodbUri);
    const ago = new Date(Date.now() - 30 * 60_000);
    await mongo
      .db('moothall_identity')
      .collection('sessions')
      .updateMany({ userId: user.id }, { $set: { createdAt: ago } });
    await mongo.close();
    expect(await isIn()).toBe(true);
    await set({ session_expire_delay: 20 });
    await soon(isIn, false);
    await set({ session_expire_delay: 10_080 });
  });

  it('after_sign_out_path accepts paths and web addresses, and no script', async () => {
    const user = await newUser();
    const leave = async () => {
      const visitor = new PageVisitor(server.url);
      const page = await visitor.signIn(user.username, user.password);
      const text = await page.clone().text();
      const csrf = /name="csrf" value="([^"]*)"/.exec(text)![1]!;
      return visitor.load('/users/sign_out', new URLSearchParams({ csrf }));
    };
    await set({ after_sign_out_path: 'https://example.com/bye' });
    await soon(async () => (await leave()).headers.get('refresh'), '0; url=https://example.com/bye');
    await set({ after_sign_out_path: '/users/password/new' });
    await soon(async () => (await leave()).url, `${server.url}/users/password/new`);
    for (const wrong of ['javascript:alert(1)', '//example.com', 'data:text/html,x', '/\\example.com']) {
      const refused = await api('PUT', '/application/settings', { after_sign_out_path: wrong });
      expect([wrong, refused.status]).toEqual([wrong, 400]);
    }
    await set({ after_sign_out_path: '' });
  });
});

describe('places', () => {
  it('default_project_visibility, default_group_visibility and default_branch_name', async () => {
    await set({
      default_project_visibility: 'public',
      default_group_visibility: 'internal',
      default_branch_name: 'trunk',
    });
    const project = await newProject({ initialize_with_readme: true });
    expect(project).toMatchObject({ visibility: 'public', default_branch: 'trunk' });
    const path = uniqueName('group');
    expect(await json(api('POST', '/groups', { name: path, path }))).toMatchObject({ visibility: 'internal' });
    await set({
      default_project_visibility: 'private',
      default_group_visibility: 'private',
      default_branch_name: 'main',
    });
  });

  it('restricted_visibility_levels: projects, groups, snippets and the pages of users', async () => {
    const user = await newUser();
    const own = await newProject({}, user.token);
    const anyone = () =>
      Promise.all([
        statusOf(anonymous(`/api/v4/users/${user.id}`)),
        statusOf(anonymous(`/api/v4/users?username=${user.username}`)),
      ]);
    expect(await anyone()).toEqual([200, 200]);
    await set({ restricted_visibility_levels: ['public'] });
    await soon(anyone, [404, 403]);
    const name = uniqueName('shown');
    const file = { file_name: 'a', content: 'b', title: 'c', visibility: 'public' };
    const made = (token: string) =>
      Promise.all([
        statusOf(api('POST', '/projects', { name, visibility: 'public' }, token)),
        statusOf(api('POST', '/groups', { name, path: `${name}-group`, visibility: 'public' }, token)),
        statusOf(api('POST', '/snippets', file, token)),
        statusOf(api('POST', `/projects/${own.id}/snippets`, file, token)),
        statusOf(api('PUT', `/projects/${own.id}`, { visibility: 'public' }, token)),
      ]);
    expect(await made(user.token)).toEqual([400, 400, 400, 400, 400]);
    expect(await made(server.token)).toEqual([201, 201, 201, 201, 200]);
    await set({ restricted_visibility_levels: [] });
    await soon(anyone, [200, 200]);
  });

  it('import_sources', async () => {
    const start = () =>
      statusOf(api('POST', '/projects', { name: uniqueName('import'), import_url: 'https://example.com/a.git' }));
    await set({ import_sources: [] });
    expect(await start()).toBe(403);
    await set({ import_sources: ['git'] });
    expect(await start()).toBe(201);
  });

  it('allow_local_requests_from_web_hooks_and_services and outbound_local_requests_whitelist: imports and mirrors', async () => {
    const source = await newProject({ initialize_with_readme: true, visibility: 'public' });
    const { host, hostname } = new URL(server.url);
    const url = `${server.url}/${source.path_with_namespace}.git`;
    const mirrored = await newProject({ initialize_with_readme: true });
    const mirrors = `/projects/${mirrored.id}/remote_mirrors`;
    const made = async () => [
      await statusOf(api('POST', '/projects', { name: uniqueName('import'), import_url: url })),
      await statusOf(api('POST', mirrors, { url })),
    ];
    expect(await made()).toEqual([400, 400]);
    const ways = [
      { allow_local_requests_from_web_hooks_and_services: true },
      { outbound_local_requests_whitelist: [host] },
      { outbound_local_requests_whitelist: [`${hostname}/8`] },
    ];
    for (const way of ways) {
      await set(way);
      await soon(made, [201, 201]);
      const { id } = await newProject({ import_url: url });
      const ended = async () => (await json(api('GET', `/projects/${id}`))).import_status;
      expect(await until('the import', async () => /finished|failed/.exec(await ended())?.[0])).toBe('finished');
      await set({ allow_local_requests_from_web_hooks_and_services: false, outbound_local_requests_whitelist: [] });
      await soon(made, [400, 400]);
    }
    await set({ outbound_local_requests_whitelist: ['192.0.2.1', `${hostname}:1`] });
    expect(await made()).toEqual([400, 400]);
    // A mirror that was created while it was allowed is checked again when it pushes.
    const [{ id }] = await json(api('GET', `${mirrors}?per_page=1`));
    await api('PUT', `${mirrors}/${id}`, { enabled: true });
    await api('POST', `${mirrors}/${id}/sync`);
    const error = () => json(api('GET', `${mirrors}/${id}`)).then(({ last_error }) => last_error);
    await until('the refusal', async () => /local network/.test(await error()));
  });

  it('max_attachment_size and max_import_size, in megabytes', async () => {
    const { id } = await newProject();
    const upload = () => {
      const body = new FormData();
      body.append('file', new Blob([new Uint8Array(1.5 * 1024 * 1024)]), 'a.bin');
      const headers = { 'private-token': server.token };
      return statusOf(fetch(`${server.url}/api/v4/projects/${id}/uploads`, { method: 'POST', body, headers }));
    };
    expect(await upload()).toBe(201);
    await set({ max_attachment_size: 1 });
    await soon(async () => (await upload()) >= 400, true);
    await set({ max_attachment_size: 10, max_import_size: 1 });
    const archive = new FormData();
    const name = uniqueName('imported');
    archive.append('name', name);
    archive.append('path', name);
    archive.append('file', new Blob([new Uint8Array(1.5 * 1024 * 1024)]), 'group.tar.gz');
    const headers = { 'private-token': server.token };
    const imported = await fetch(`${server.url}/api/v4/groups/import`, { method: 'POST', body: archive, headers });
    expect(imported.status).toBeGreaterThanOrEqual(400);
    await set({ max_import_size: 50 });
  });

  it('home_page_url redirects anonymous users, and accepts no script', async () => {
    await set({ home_page_url: 'https://example.com/welcome' });
    const home = async () => {
      const { status, headers } = await anonymous('/');
      return [status, headers.get('location')];
    };
    await soon(home, [302, 'https://example.com/welcome']);
    const visitor = new PageVisitor(server.url);
    await visitor.load('/users/sign_in');
    expect((await visitor.load('/')).status).not.toBe(302);
    expect(await statusOf(api('PUT', '/application/settings', { home_page_url: 'javascript:alert(1)' }))).toBe(400);
    await set({ home_page_url: '' });
    await soon(async () => (await home())[0] === 302, false);
  });
});

it('notes_create_limit counts notes and discussions of a user together', async () => {
  const [user, other, third] = [await newUser(), await newUser(), await newUser()];
  const { id } = await newProject({ visibility: 'public' }, user.token);
  const { iid } = await json(api('POST', `/projects/${id}/issues`, { title: 'One' }, user.token));
  const note = (token: string, kind = 'notes') =>
    statusOf(api('POST', `/projects/${id}/issues/${iid}/${kind}`, { body: 'Hello' }, token));
  await set({ notes_create_limit: 3 });
  // Each attempt creates a note, of which three are allowed once the gateway knows the limit.
  await until('the limit', async () => (await note(third.token)) === 429);
  const statuses = [];
  for (const kind of ['notes', 'discussions', 'notes', 'notes', 'discussions'])
    statuses.push(await note(user.token, kind));
  expect(statuses).toEqual([201, 201, 201, 429, 429]);
  expect(await note(other.token)).toBe(201);
  await set({ notes_create_limit: 0 });
  await soon(() => note(user.token), 201);
});

it('search_rate_limit counts searches of a user in all scopes together', async () => {
  const [user, other, third] = [await newUser(), await newUser(), await newUser()];
  const search = (token: string, scope = 'issues') =>
    statusOf(api('GET', `/search?scope=${scope}&search=x`, undefined, token));
  await set({ search_rate_limit: 3 });
  await until('the limit', async () => (await search(third.token)) === 429);
  const statuses = [];
  for (const scope of ['issues', 'users', 'projects', 'issues', 'milestones'])
    statuses.push(await search(user.token, scope));
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(await search(other.token)).toBe(200);
  await set({ search_rate_limit: 0 });
  await soon(() => search(user.token), 200);
});

describe('limits of the instance', () => {
  const ask = (token: string) => api('GET', '/version', undefined, token);
  const headersOf = (answer: Response | undefined) => Object.fromEntries(answer?.headers ?? []);

  it('count all requests of a user, and return how many are left', async () => {
    const [user, other, third] = [await newUser(), await newUser(), await newUser()];
    await set({
      throttle_authenticated_api_requests_per_period: 20,
      throttle_authenticated_api_period_in_seconds: 120,
      throttle_authenticated_api_enabled: true,
      rate_limiting_response_text: 'Slower, please',
    });
    await until('the limit', async () => (await ask(third.token)).status === 429);
    const answers = [];
    for (let one = 0; one < 21; one++) answers.push(await ask(one % 2 ? user.token : user.impersonation));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
    expect(headersOf(answers[0])).toMatchObject({
      'ratelimit-name': 'throttle_authenticated_api',
      ...{ 'ratelimit-limit': '10', 'ratelimit-observed': '1', 'ratelimit-remaining': '19' },
    });
    const answered = headersOf(answers[20]);
    expect(Number(answered['retry-after'])).toBeGreaterThan(60);
    expect(
      Math.abs(Number(answered['ratelimit-reset']) * 1000 - Date.parse(answered['ratelimit-resettime']!)),
    ).toBeLessThan(2000);
    expect(await answers[20]?.text()).toBe('Slower, please\n');
    expect((await ask(other.token)).status).toBe(200);
    expect((await anonymous('/users/sign_in')).status).toBe(200);
    await set({ throttle_authenticated_api_enabled: false });
    await soon(async () => (await ask(user.token)).status, 200);
    expect(headersOf(await ask(user.token))).not.toHaveProperty('ratelimit-limit');
  });

  it('count callers without a valid credential by address', async () => {
    const user = await newUser();
    await set({
      throttle_unauthenticated_api_requests_per_period: 5,
      throttle_unauthenticated_api_enabled: true,
    });
    await until('the limit', async () => (await ask('no-token-of-anybody')).status === 429);
    expect(await statusOf(anonymous('/api/v4/projects'))).toBe(429);
    expect((await ask(user.token)).status).toBe(200);
    await set({ throttle_unauthenticated_api_enabled: false });
    await soon(() => statusOf(anonymous('/api/v4/projects')), 200);
  });
});
