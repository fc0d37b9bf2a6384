import { getMergeBase, getProject, getVersion, listProjects, updateProject } from '@moothall/contracts';
import { callerNamed, projectNamed } from '@moothall/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

/* HTTP besides methods and parameters: other origins, formats, encodings, headers. */

let gateway: GatewayUnderTest;
let agent: string | undefined;
let asked: Record<string, unknown>;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  gateway.knowCaller('ada', callerNamed('ada'));
  gateway.knowProject(projectNamed('p', { id: 1, visibility: 'public', accessLevel: 50 }));
  gateway.stubs.respond(getVersion, (_, context) => {
    agent = context.client?.userAgent;
    return { version: '13.5.0', revision: 'abc' };
  });
  for (const operation of [listProjects, getProject, updateProject, getMergeBase])
    gateway.stubs.respond(operation, (input) => {
      asked = input;
      return (operation === listProjects ? { items: [] } : null) as never;
    });
});
afterAll(() => gateway.stop());

const ask = (path: string, init: RequestInit & { token?: string } = {}) =>
  gateway.fetch(path, { token: 'ada', ...init });

describe('other origins', () => {
  const origin = 'https://app.example';
  const preflight = (path: string, headers: Record<string, string> = {}) =>
    gateway.fetch(path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET', ...headers },
    });

  it.each([
    '/api/v4/projects',
    '/api/v4/projects/1/issues',
    '/api/v4/nowhere',
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/userinfo',
    '/oauth/discovery/keys',
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
  ])('may request %s', async (path) => {
    const answer = await preflight(path, { 'access-control-request-headers': 'authorization,private-token' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,private-token');
    expect(answer.headers.get('access-control-allow-methods')).toMatch(/GET|POST/);
    expect(answer.headers.get('access-control-max-age')).toBe('7200');
  });

  it.each(['/oauth/authorize', '/users/sign_in', '/group/app.git/info/refs'])('may not request %s', async (path) => {
    expect((await preflight(path)).headers.get('access-control-allow-origin')).toBeNull();
  });

  it.each([
    ['/api/v4/version', 200],
    ['/api/v4/nowhere', 404],
    ['/api/v4/projects?a=%zz', 400],
  ])('may read %s with paging headers, also refusals', async (path, status) => {
    const answer = await ask(path, { headers: { origin } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Next-Page');
  });

  it('get no headers without an origin', async () => {
    expect((await ask('/api/v4/version')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('methods', () => {
  it.each([
    ['OPTIONS', '/api/v4/projects', 'GET, HEAD, POST'],
    ['HEAD', '/api/v4/projects/1/star', 'POST'],
    ['DELETE', '/api/v4/projects', 'GET, HEAD, POST'],
    ['DELETE', '/api/v4//%70rojects/?search=x', 'GET, HEAD, POST'],
    ['GET', '/oauth/token', 'POST'],
    ['OPTIONS', '/oauth/token', 'POST'],
    ['PUT', '/api/v4/version.json', 'GET, HEAD'],
  ])('%s %s is 405 and lists the methods of the path', async (method, path, allow) => {
    const answer = await ask(path, { method });
    expect([answer.status, answer.headers.get('allow')?.split(', ').sort()]).toEqual([405, allow.split(', ').sort()]);
    const text = '405 Not Allowed';
    // OAuth endpoints use the error format of RFC 6749 5.2.
    const body = path === '/oauth/token' ? { error: 'invalid_request', error_description: text } : { error: text };
    if (method !== 'HEAD') expect(await answer.json()).toEqual(body);
  });
});

describe('formats', () => {
  it.each(['/api/v4/version.json', '/api/v4/projects.json?search=x', '/api/v4/projects/1.json'])(
    '%s is the same in JSON',
    async (path) => {
      expect((await ask(path)).status).toBe(200);
    },
  );

  it('are refused if unknown', async () => {
    const answer = await ask('/api/v4/projects.xml');
    expect([answer.status, await answer.json()]).toEqual([
      406,
      { error: "The requested format 'xml' is not supported." },
    ]);
  });

  it('are not cut from names that end with them', async () => {
    gateway.knowProject(projectNamed('dotted', { id: 2, fullPath: 'group/app.json', visibility: 'public' }));
    expect((await ask('/api/v4/projects/group%2Fapp.json')).status).toBe(200);
    expect(asked).toMatchObject({ id: 'group/app.json' });
  });
});

it.each(['refs=main,v1', 'refs[]=main&refs[]=v1', 'refs[]=main,v1'])(
  'a merge base is requested with %s',
  async (query) => {
    expect((await ask(`/api/v4/projects/1/repository/merge_base?${query}`)).status).toBe(200);
    expect(asked.refs).toEqual(['main', 'v1']);
  },
);

it('the branch of a schedule is more than blanks', async () => {
  const schedule = { description: 'nightly', cron: '0 1 * * *', ref: '   ' };
  const answer = await ask('/api/v4/projects/1/pipeline_schedules', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(schedule),
  });
  expect([answer.status, await answer.json()]).toEqual([400, { error: 'ref is empty' }]);
});

describe('encodings', () => {
  it.each([
    '/api/v4/projects/%zz',
    '/api/v4/projects/%',
    '/%ff',
    '/api/v4/projects?search=%zz',
    '/api/v4/projects?a=%ff',
  ])('refuses %s in the form of the interface', async (path) => {
    const answer = await ask(path);
    expect([answer.status, await answer.json()]).toEqual([400, { message: '400 Bad request' }]);
  });

  it.each([
    ['application/x-www-form-urlencoded', 'name=%zz'],
    ['application/x-www-form-urlencoded', Buffer.from('name=\xff', 'latin1')],
    ['application/json', Buffer.from('{"name":"\xff"}', 'latin1')],
    ['application/json', `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['application/json', `${'['.repeat(8_000_000)}${']'.repeat(8_000_000)}`],
    ['application/json', '{"name":"\\ud800"}'],
  ])('refuses an invalid body in %s', async (type, body) => {
    const answer = await ask('/api/v4/projects/1', { method: 'PUT', headers: { 'content-type': type }, body });
    expect([answer.status, await answer.json()]).toEqual([400, { message: '400 Bad request' }]);
  });

  it('reads the agent of a client as UTF-8', async () => {
    const latin1 = Buffer.from('Müller/1.0 😀').toString('latin1');
    await ask('/api/v4/version', { headers: { 'user-agent': latin1 } });
    expect(agent).toBe('Müller/1.0 😀');
  });
});

describe('long texts', () => {
  const put = (type: string, body: string) =>
    ask('/api/v4/projects/1', { method: 'PUT', headers: { 'content-type': type }, body });
  const text = '😀'.repeat(1_000_000);
  const escaped = text.replaceAll('😀', '\\ud83d\\ude00');

  it.each([
    ['JSON', 'application/json', `{"description":"${escaped}"}`],
    ['a form', 'application/x-www-form-urlencoded', `description=${encodeURIComponent(text)}`],
  ])('accepts a million escaped characters in %s', async (_name, type, body) => {
    expect((await put(type, body)).status).toBe(200);
    expect(asked.description === text).toBe(true);
  });

  it('refuses as many bytes without escapes', async () => {
    expect((await put('application/json', JSON.stringify({ description: 'x'.repeat(12_000_000) }))).status).toBe(413);
  });
});

it('accepts an update with fields of other servers', async () => {
  const answer = await ask('/api/v4/projects/1', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"of_another_version":false}',
  });
  expect([answer.status, asked]).toEqual([200, { id: '1' }]);
});
