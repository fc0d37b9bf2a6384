import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Access,
  authenticateBasic,
  authenticationErrors,
  commonErrors,
  defaultApplicationSettings,
  findLfsObjects,
  getArtifactFile,
  getVersion,
  gitExchange,
  invalidRecord,
  jobTokenUser,
  projectChanged,
  readApplicationSettings,
  reportJob,
  requestJob,
  showPage,
  takeForm,
  tokenRevoked,
  uploadSecurityReport,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { callerNamed, eventually, groupNamed, projectNamed } from '@moothall/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

let gateway: GatewayUnderTest;
const ada = callerNamed('ada');

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  gateway.knowCaller('ada-token', ada);
  gateway.knowCaller('reader-token', callerNamed('reader', { scopes: ['read_api'] }));
  gateway.knowCaller('profile-token', callerNamed('profile', { scopes: ['profile'] }));
  gateway.knowCaller('root-token', callerNamed('root', { isAdmin: true, scopes: ['api'] }));
  gateway.stubs.respond(getVersion, () => ({ version: '13.5.0', revision: 'abc' }));
});
afterAll(() => gateway.stop());

async function answer(path: string, init: RequestInit & { token?: string } = {}) {
  const response = await gateway.fetch(path, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

describe('routes', () => {
  it.each([
    ['GET', '/api/v4/nowhere', 404, { error: '404 Not Found' }],
    ['GET', '/nowhere', 404, { error: '404 Not Found' }],
    // Internal details have a port of their own.
    ['GET', '/-/metrics', 404, { error: '404 Not Found' }],
    ['GET', '/-/health', 404, { error: '404 Not Found' }],
    ['POST', '/api/v4/nowhere', 404, { error: '404 Not Found' }],
    ['DELETE', '/api/v4/version', 405, { error: '405 Not Allowed' }],
    ['GET', '/api/v3/projects', 410, { error: 'API V3 is no longer supported. Use API V4 instead.' }],
  ])('%s %s answers %i', async (method, path, status, body) => {
    const refused = await answer(path, { method });
    expect(refused).toMatchObject({ status, body });
    expect(refused.headers.get('content-type')).toBe('application/json');
  });

  it('return a page to browsers on unknown paths, and JSON to programs', async () => {
    gateway.stubs.respond(readApplicationSettings, () => defaultApplicationSettings);
    gateway.stubs.respond(showPage, ({ path }) => `the page of ${path}`);
    await gateway.stubs.received();
    await gateway.stubs.received();
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const path of ['/', '/ada', '/groups/team', '/group/app/-/issues/1', '/nowhere']) {
      const [page, plain] = [await answer(path, { headers: { accept } }), await answer(path)];
      expect([page.status, page.body]).toEqual([200, `the page of ${path}`]);
      expect([plain.status, plain.body]).toEqual([404, { error: '404 Not Found' }]);
    }
    expect(await answer('/api/v4/nowhere', { headers: { accept } })).toMatchObject({
      body: { error: '404 Not Found' },
    });
  });

  it('pass forms of pages on with their fields, to the address of the page', async () => {
    gateway.stubs.respond(takeForm, (input) => JSON.stringify(input));
    await gateway.stubs.received();
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
    const path = '/group/app/-/issues/new?a=b';
    const send = (body: string) => answer(path, { method: 'POST', headers, body });
    const passed = async (body: string) => JSON.parse(String((await send(body)).body));
    expect(await passed('title=a+b%26&labels[]=c&labels[]=d&form=x')).toEqual({
      path,
      fields: { title: 'a b&', labels: ['c', 'd'], form: 'x' },
    });
    expect(await passed('')).toEqual({ path, fields: {} });
    expect(await send('title=%ff')).toMatchObject({ status: 400 });
    const json = { ...headers, 'content-type': 'application/json' };
    expect(await answer('/group/app', { method: 'POST', headers: json, body: '{}' })).toMatchObject({ status: 404 });
  });

  it('serve metrics and health on their own port', async () => {
    await answer('/api/v4/version', { token: 'ada-token' });
    const page = async (path: string) => (await fetch(`${gateway.metricsUrl}${path}`)).text();
    expect(await page('/-/metrics')).toMatch(/moothall_request_duration_seconds_count\{.*route="\/api\/v4\/version"/);
    expect(JSON.parse(await page('/-/health'))).toEqual({ nats: true, identity: true });
  });

  // Regression: a browser with a wrong request to a page got JSON.
  it('show a browser an error page for an address with the wrong method', async () => {
    gateway.stubs.respond(showPage, ({ path, refused }) => `${refused} at ${path}`);
    await gateway.stubs.received();
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const [path, status] of [
      ['/-/profile/applications/revoke', 405],
      ['/users/sign_in?return_to[x]=1', 400],
      ['/uploads/-/system/user/avatar/nobody/avatar.png', 400],
      ['/%ff', 400],
    ] as const) {
      const [page, plain] = [await answer(path, { headers: { accept } }), await answer(path)];
      expect([plain.status, plain.headers.get('content-type')]).toEqual([status, 'application/json']);
      expect(page.body).toBe(`${status} at ${path}`);
      expect(page.headers.get('allow')).toBe(plain.headers.get('allow'));
    }
  });

  it('show a browser a page for a form that is too large', async () => {
    gateway.stubs.respond(showPage, ({ path, refused, limit_bytes }) => `${refused} at ${path}: ${limit_bytes}`);
    await gateway.stubs.received();
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
    const path = '/group/app/-/issues/new?a=b';
    for (const body of [`title=${'x'.repeat(8 << 20)}`, `title=${'x'.repeat(22 << 20)}`, 'a&'.repeat(70_000)]) {
      const page = await answer(path, { method: 'POST', headers, body });
      expect([page.status, page.body]).toEqual([200, `413 at ${path}: ${7 << 20}`]);
    }
    const asked = { method: 'POST', headers, body: `name=${'x'.repeat(8 << 20)}`, token: 'ada-token' };
    const toApi = await answer('/api/v4/projects', asked);
    expect([toApi.status, toApi.headers.get('content-type')]).toEqual([413, 'application/json']);
  });

  it('reads two slashes as one', async () => {
    expect(await answer('/api/v4//version/', { token: 'ada-token' })).toMatchObject({ status: 200 });
  });

  it('read the rest of a path as one parameter if it is a file path', async () => {
    gateway.knowProject(projectNamed('built', { id: 41, accessLevel: Access.Developer }));
    let asked: unknown;
    gateway.stubs.respond(getArtifactFile, (input) => {
      asked = input;
      return commonErrors.notFound();
    });
    const read = async (path: string) => {
      asked = undefined;
      const { status } = await gateway.fetch(`/api/v4/projects/41/jobs/7/artifacts/${path}`, { token: 'ada-token' });
      return [status, asked];
    };
    const file = (artifact_path: string) => ({ id: '41', job_id: 7, artifact_path });
    expect(await read('a/b%20c/d%25.json')).toEqual([404, file('a/b c/d%.json')]);
    expect(await read('a%2Fb')).toEqual([404, file('a/b')]);
    expect(await read('7.json')).toEqual([404, file('7.json')]);
    // Also if another method uses that name.
    for (const name of ['keep', 'keep.json', 'keep.html', 'keep/keep']) {
      expect(await read(name)).toEqual([404, file(name)]);
    }
    const wrong = await answer('/api/v4/projects/41/jobs/7/artifacts/keep', { method: 'PUT' });
    expect([wrong.status, wrong.headers.get('allow')?.split(', ').sort()]).toEqual([405, ['GET', 'HEAD', 'POST']]);
    const other = await answer('/api/v4/projects/41/jobs/7/artifacts/keep.xml', { method: 'POST' });
    expect(other.status).toBe(406);
  });

  // Otherwise the route of `/runners/:runner_id`, or of a flag with that name, would match.
  it.each([
    ['GET', '/api/v4/runners/all.xml', 406, null],
    ['GET', '/api/v4/projects/1/pipelines/latest.xml', 406, null],
    ['DELETE', '/api/v4/runners/all', 405, 'GET, HEAD'],
    ['POST', '/api/v4/features/definitions', 405, 'GET, HEAD'],
    ['DELETE', '/api/v4/features/definitions.json', 405, 'GET, HEAD'],
  ])('%s %s is refused, beside a path with a name in that place', async (method, path, status, allow) => {
    const refused = await answer(path, { method, token: 'ada-token' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([status, allow]);
  });

  it('list the methods of a path in Allow', async () => {
    const { headers } = await answer('/api/v4/version', { method: 'PUT' });
    expect(headers.get('allow')).toBe('GET, HEAD');
  });

  it('carries the common headers', async () => {
    const { headers } = await answer('/api/v4/version', { token: 'ada-token' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-runtime': expect.stringMatching(/^\d+\.\d{6}$/),
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      'cache-control': 'max-age=0, private, must-revalidate',
    });
  });

  it('answers HEAD like GET without a body', async () => {
    const response = await gateway.fetch('/api/v4/version', { method: 'HEAD', token: 'ada-token' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
  });

  it('answers 304 to a client that has the body already', async () => {
    const { headers } = await answer('/api/v4/version', { token: 'ada-token' });
    const etag = headers.get('etag')!;
    expect(etag).toMatch(/^W\/"[0-9a-f]{32}"$/);
    const again = await gateway.fetch('/api/v4/version', { token: 'ada-token', headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('credentials', () => {
  it.each([
    ['PRIVATE-TOKEN', { 'PRIVATE-TOKEN': 'ada-token' }, ''],
    ['Bearer', { authorization: 'Bearer ada-token' }, ''],
    ['access_token', {}, '?access_token=ada-token'],
    ['private_token', {}, '?private_token=ada-token'],
  ])('are accepted as %s', async (_form, headers, query) => {
    expect(await answer(`/api/v4/version${query}`, { headers: headers as Record<string, string> })).toMatchObject({
      status: 200,
      body: { version: '13.5.0' },
    });
  });

  it('answers 401 without a credential, and for an unknown one', async () => {
    const refused = { status: 401, body: { message: '401 Unauthorized' } };
    expect(await answer('/api/v4/version')).toMatchObject(refused);
    expect(await answer('/api/v4/version', { token: 'unknown' })).toMatchObject(refused);
  });

  // Runners of versions 16.10 to 17.10 also send their token in this header.
  it('are not read from parameters of runners and jobs', async () => {
    gateway.stubs.respond(requestJob, () => null);
    gateway.stubs.respond(reportJob, () => ({ message: '200 OK' }));
    const send = (method: string, path: string, body: object, headers: Record<string, string>) =>
      answer(path, {
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      });
    const beside = { 'private-token': 'of-a-runner', authorization: 'Bearer of-a-runner' };
    expect((await send('POST', '/api/v4/jobs/request', { token: 'of-a-runner' }, beside)).status).toBe(201);
    const job = { state: 'success' };
    expect((await send('PUT', '/api/v4/jobs/1', job, { ...beside, 'job-token': 'of-a-job' })).status).toBe(200);
  });

  it('are refused if the first is invalid, even if the second is valid', async () => {
    const headers = { authorization: 'Bearer unknown', 'private-token': 'ada-token' };
    expect(await answer('/api/v4/version', { headers })).toMatchObject({ status: 401 });
  });

  it('are authenticated once by identity, until an event revokes them', async () => {
    await answer('/api/v4/version', { token: 'ada-token' });
    const before = gateway.lookups();
    await answer('/api/v4/version', { token: 'ada-token' });
    expect(gateway.lookups()).toBe(before);
    await gateway.emit(tokenRevoked, { token_sha256: sha256('ada-token'), user_id: ada.id });
    await eventually(async () => {
      await answer('/api/v4/version', { token: 'ada-token' });
      return gateway.lookups() > before;
    });
  });

  it('are refused with insufficient scopes', async () => {
    expect(await answer('/api/v4/version', { token: 'reader-token' })).toMatchObject({ status: 200 });
    expect(await answer('/api/v4/version', { token: 'profile-token' })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', scope: 'api read_api read_user' },
    });
  });

  it('are refused with insufficient scopes also on public resources', async () => {
    expect(await answer('/api/v4/projects', { token: 'profile-token' })).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope', scope: 'api read_api' },
    });
  });

  it('allow only administrators with the scope to act as others', async () => {
    const as = (token: string) => answer('/api/v4/version', { token, headers: { sudo: 'ada' } });
    expect(await as('ada-token')).toMatchObject({
      status: 403,
      body: { message: '403 Forbidden - Must be admin to use sudo' },
    });
    expect(await as('root-token')).toMatchObject({ status: 403, body: { error: 'insufficient_scope', scope: 'sudo' } });
  });
});

describe('answers', () => {
  it('are 503 when no service runs', async () => {
    gateway.knowProject(projectNamed('lonely', { id: 9001, visibility: 'public' }));
    expect(await answer('/api/v4/metadata', { token: 'ada-token' })).toMatchObject({
      status: 503,
      body: { message: '503 Service Unavailable' },
    });
  });

  it('turns an error value into its answer', async () => {
    gateway.stubs.respond(getVersion, () => invalidRecord({ title: ["can't be blank"] }));
    expect(await answer('/api/v4/version', { token: 'ada-token' })).toMatchObject({
      status: 400,
      body: { message: { title: ["can't be blank"] } },
    });
    gateway.stubs.respond(getVersion, () => authenticationErrors.revoked());
    const revoked = await answer('/api/v4/version', { token: 'ada-token' });
    expect(revoked).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
    expect(revoked.headers.get('www-authenticate')).toContain('error="invalid_token"');
    gateway.stubs.respond(getVersion, () => ({ version: '13.5.0', revision: 'abc' }));
  });

  it.each([undefined, 'Slower, please'])('answers a limit of the instance with text: %s', async (message) => {
    gateway.stubs.respond(getVersion, () => commonErrors.retryLater(message));
    const refused = await gateway.fetch('/api/v4/version', { token: 'ada-token' });
    expect([refused.status, await refused.text()]).toEqual([429, `${message ?? 'Retry later'}\n`]);
    gateway.stubs.respond(getVersion, () => ({ version: '13.5.0', revision: 'abc' }));
  });
});

describe('bodies', () => {
  const send = (type: string | undefined, body: string) =>
    answer('/api/v4/projects', {
      method: 'POST',
      token: 'ada-token',
      body: new Blob([body]),
      headers: type ? { 'content-type': type } : {},
    });

  it('refuse invalid JSON', async () => {
    expect(await send('application/json', '{"name":')).toMatchObject({
      status: 400,
      body: { error: expect.any(String) },
    });
  });

  it('refuses other types', async () => {
    expect(await send('text/xml', '<a/>')).toMatchObject({
      status: 415,
      body: { error: "The provided content-type 'text/xml' is not supported." },
    });
  });

  it('refuses bodies over the limit', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(8 * 1024 * 1024) });
    expect(await send('application/json', body)).toMatchObject({
      status: 413,
      body: { message: '413 Request Entity Too Large' },
    });
  });

  it('refuses NUL', async () => {
    expect(await send('application/json', JSON.stringify({ name: 'a\0b' }))).toMatchObject({ status: 400 });
  });

  it('refuses a broken multipart body', async () => {
    expect(await send('multipart/form-data; boundary=x', '--x\r\nbroken')).toMatchObject({ status: 400 });
    expect((await send('multipart/form-data', 'broken')).status).toBeLessThan(500);
  });
});

// Regression: lists and statistics were 404.
it('refuses lists of a switched-off part with 403, and single records with 404', async () => {
  const { features } = projectNamed('any');
  const off = { ...features, wiki: 'disabled' as const, issues: 'disabled' as const };
  const project = projectNamed('off', { features: off });
  gateway.knowProject(project);
  const { id } = project;
  for (const [rest, status] of [
    ['wikis', 403],
    ['wikis/home', 404],
    ['issues', 403],
    ['issues_statistics', 403],
    ['issues/1', 404],
  ] as const)
    expect([rest, (await answer(`/api/v4/projects/${id}/${rest}`, { token: 'ada-token' })).status]).toEqual([
      rest,
      status,
    ]);
});

describe('git over HTTP', () => {
  const refs = '/group/app.git/info/refs?service=git-upload-pack';

  it('asks for a password if an anonymous caller may not read, without details', async () => {
    gateway.knowProject(projectNamed('app', { accessLevel: Access.None }));
    for (const path of [refs, refs.replace('app', 'absent')]) {
      const response = await gateway.fetch(path);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Moothall"']);
    }
  });

  // Regression: the message said that the server was temporarily unable to answer.
  it('returns 404 with a message to a signed-in caller who may not read', async () => {
    const body = expect.stringContaining('could not be found');
    expect(await answer(refs, { token: 'ada-token' })).toMatchObject({ status: 404, body });
    expect(await answer(refs.replace('app', 'absent'), { token: 'ada-token' })).toMatchObject({ status: 404, body });
  });

  it('leads to the address with .git, whether or not there is such a project', async () => {
    for (const name of ['app', 'absent']) {
      const response = await gateway.fetch(`/group/${name}/info/refs?service=git-upload-pack`, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([
        301,
        `../../${name}.git/info/refs?service=git-upload-pack`,
      ]);
    }
  });

  it('answers git-lfs in its form, with actions and errors', async () => {
    gateway.knowProject(projectNamed('large', { accessLevel: Access.Developer }));
    const oids = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
    const states = ['there', 'missing', 'too_large'] as const;
    gateway.stubs.respond(findLfsObjects, ({ objects }) =>
      objects.map((object, at) => ({ ...object, state: states[at]! })),
    );
    await gateway.stubs.received();
    const type = 'application/vnd.git-lfs+json';
    const authorization = 'Bearer ada-token';
    const batch = async (body: object) => {
      const response = await gateway.fetch('/group/large.git/info/lfs/objects/batch', {
        method: 'POST',
        headers: { 'content-type': `${type}; charset=utf-8`, accept: type, authorization },
        body: JSON.stringify(body),
      });
      expect(response.headers.get('content-type')).toBe(type);
      return [response.status, (await response.json()) as { transfer: string; objects: unknown[] }] as const;
    };
    const objects = oids.map((oid) => ({ oid, size: 7 }));
    const place = 'http://moothall.test/group/large.git/info/lfs/objects';
    const [status, answer] = await batch({ operation: 'upload', transfers: ['basic'], objects });
    expect([status, answer.transfer, answer.objects]).toEqual([
      200,
      'basic',
      [
        { oid: oids[0], size: 7 },
        {
          oid: oids[1],
          size: 7,
          authenticated: true,
          actions: {
            upload: {
              href: `${place}/${oids[1]}/7`,
              header: { Authorization: authorization, 'Content-Type': 'application/octet-stream' },
            },
            verify: { href: `${place}/verify`, header: { Authorization: authorization } },
          },
        },
        { oid: oids[2], size: 7, error: { code: 413, message: expect.stringContaining('larger') } },
      ],
    ]);
    expect(await batch({ operation: 'remove', objects })).toEqual([
      422,
      { message: expect.stringContaining('operation'), request_id: expect.any(String) },
    ]);
  });
});

describe('a name and a password', () => {
  const send = (text: string) => answer('/api/v4/version', { headers: { authorization: `Basic ${text}` } });
  const base64 = (text: string) => Buffer.from(text).toString('base64');

  it('are read unchanged: the password may contain colons and letters of any language', async () => {
    gateway.stubs.respond(authenticateBasic, ({ username, password }) =>
      username === 'ada' && password === 'a:b:ä' ? { caller: ada, expires_at: null } : commonErrors.unauthorized(),
    );
    await gateway.stubs.received();
    expect((await send(base64('ada:a:b:ä'))).status).toBe(200);
    expect((await send(base64('ada:a'))).status).toBe(401);
  });

  it.each([
    ['no colon', base64('ada'), 400],
    ['no base64', '***', 400],
    ['no name', base64(':a:b:ä'), 401],
    ['no password', base64('ada:'), 401],
  ])('are refused with %s', async (_what, text, status) => {
    expect((await send(text)).status).toBe(status);
  });
});

describe('a job token', () => {
  const own = projectNamed('own', { visibility: 'private' });
  const other = projectNamed('other', { visibility: 'private' });
  const basic = { authorization: `Basic ${Buffer.from(`${jobTokenUser}:job-secret`).toString('base64')}` };
  const refsOf = (path: string, service = 'git-upload-pack') => `/${path}.git/info/refs?service=${service}`;
  const statusOf = async (path: string) => (await answer(path, { headers: basic })).status;
  const dataPort = createServer((_, response) => response.end('refs'));
  let isRunning = true;

  beforeAll(async () => {
    await new Promise<void>((resolve) => dataPort.listen(0, '127.0.0.1', resolve));
    const { port } = dataPort.address() as AddressInfo;
    gateway.stubs.respond(gitExchange, () => ({ url: `http://127.0.0.1:${port}/` }));
    const scopes = ['read_repository' as const];
    const caller = callerNamed('builder', { isAdmin: true, credential: 'job_token', scopes, projectId: own.id });
    gateway.stubs.respond(authenticateBasic, ({ username, password }) =>
      isRunning && username === jobTokenUser && password === 'job-secret'
        ? { caller, expires_at: null }
        : commonErrors.unauthorized(),
    );
    await gateway.stubs.received();
    for (const project of [own, other]) gateway.knowProject(project);
  });
  afterAll(() => dataPort.close());

  it('fetches its own project and no other, though its user may', async () => {
    expect(await answer(refsOf(own.fullPath), { headers: basic })).toMatchObject({ status: 200, body: 'refs' });
    expect(await statusOf(refsOf(other.fullPath))).toBe(404);
  });

  it('does not push', async () => {
    expect(await statusOf(refsOf(own.fullPath, 'git-receive-pack'))).toBe(403);
  });

  it.each([
    `/api/v4/projects/${own.id}`,
    `/api/v4/projects/${own.id}/repository/files/a/raw?ref=main`,
    '/api/v4/projects',
    '/api/v4/user',
  ])('does not open the interface: %s', async (path) => {
    expect(await statusOf(path)).toBe(403);
  });

  it('uploads the report of a scanner to its own project and no other', async () => {
    gateway.stubs.respond(uploadSecurityReport, () => ({
      id: 1,
      project_id: own.id,
      report_type: 'sast' as const,
      ref: 'feature',
      status: 'created' as const,
      findings_count: 0,
      left_out: [],
      created_at: new Date().toISOString(),
      finished_at: null,
    }));
    await gateway.stubs.received();
    const upload = async ({ id }: { id: number }) => {
      const body = new FormData();
      body.set('ref', 'feature');
      body.set('file', new Blob(['{}']), 'gl-sast-report.json');
      const headers = { 'job-token': 'job-secret' };
      return (await answer(`/api/v4/projects/${id}/security_reports`, { method: 'POST', headers, body })).status;
    };
    expect(await upload(own)).toBe(202);
    expect(await upload(other)).toBe(404);
  });

  it('is refused immediately after the job has ended', async () => {
    expect(await statusOf(refsOf(own.fullPath))).toBe(200);
    isRunning = false;
    expect(await statusOf(refsOf(own.fullPath))).toBe(401);
  });
});

describe('caches', () => {
  it('sees a changed project at the next request after its event', async () => {
    const project = projectNamed('moving', { visibility: 'private', accessLevel: Access.None });
    gateway.knowProject(project);
    expect(await answer(`/api/v4/projects/${project.id}`, { token: 'ada-token' })).toMatchObject({ status: 404 });
    gateway.knowProject({ ...project, visibility: 'public' });
    await gateway.emit(projectChanged, { project_id: project.id, full_path: project.fullPath, change: 'updated' });
    await eventually(
      async () => (await answer(`/api/v4/projects/${project.id}`, { token: 'ada-token' })).status !== 404,
    );
  });

  it('sees a private group as soon as a project inside can be read', async () => {
    const group = groupNamed('above', { visibility: 'private', accessLevel: Access.None });
    gateway.knowGroup(group);
    const status = async () => (await answer(`/api/v4/groups/${group.id}`, { token: 'ada-token' })).status;
    expect(await status()).toBe(404);
    gateway.knowGroup({ ...group, readsBelow: true });
    await gateway.emit(projectChanged, { project_id: 77, full_path: 'above/below/new', change: 'created' });
    await eventually(async () => (await status()) !== 404);
  });
});
