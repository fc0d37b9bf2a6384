import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  authenticateToken,
  type Caller,
  commonErrors,
  compareRefs,
  gitExchange,
  listBranches,
  listGeoNodes,
  listIssues,
  locateReplica,
  only,
  operations,
  projectErrors,
  queryPrimary,
  resolveProject,
  takeRegistryEvents,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { callerNamed, projectNamed } from '@moothall/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';
import { rawClient } from './raw-client';

/* A gateway of a secondary: its primary is an HTTP server of the test, and the geo service is a stub. */

let gateway: GatewayUnderTest;
let primary: Server;
let url = '';
const asked: { request: IncomingMessage; body: string }[] = [];
let isSilent = false;
const ada = callerNamed('ada') as Caller;
const project = projectNamed('copied', { accessLevel: 30, visibility: 'private', storage: 'there' });
const storages: Record<string, string | null> = { code: 'default', wiki: null };

beforeAll(async () => {
  primary = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    asked.push({ request, body });
    if (isSilent) return request.socket.destroy();
    if (request.url?.includes('unchanged')) return response.writeHead(304, { etag: 'W/"x"' }).end();
    response.writeHead(200, { 'content-type': 'application/json', link: '<next>', connection: 'close' });
    return response.end(JSON.stringify({ from: 'primary', body }));
  }).listen(0, '127.0.0.1');
  await once(primary, 'listening');
  url = `http://127.0.0.1:${(primary.address() as AddressInfo).port}`;
  gateway = await startGatewayUnderTest({ GEO_ROLE: 'secondary', GEO_PRIMARY_URL: `${url}/` });
  gateway.stubs.respond(queryPrimary, ({ question, parameters }) => {
    if (question === authenticateToken.name) {
      if (parameters.token_sha256 === sha256('ada-token')) return { answer: { caller: ada, expires_at: null } };
      if (parameters.token_sha256 === sha256('away')) return commonErrors.unavailable();
      return commonErrors.unauthorized();
    }
    const isKnown = [String(project.id), project.fullPath].includes(String(parameters.project));
    const mayRead = parameters.user_id === ada.id;
    if (question !== resolveProject.name || !isKnown) return projectErrors.notFound();
    return { answer: { project: { ...project, accessLevel: mayRead ? 30 : 0 }, redirected: false } };
  });
  gateway.stubs.respond(locateReplica, ({ kind }) => ({ storage: storages[kind] ?? null }));
  gateway.stubs.respond(listBranches, () => ({ items: [], total: 0 }));
  gateway.stubs.respond(listGeoNodes, () => ({ items: [], total: 0 }));
});
afterAll(async () => {
  await gateway.stop();
  primary.close();
});
beforeEach(() => {
  asked.length = 0;
  isSilent = false;
  storages.code = 'default';
});

const at = (path: string, init: RequestInit & { token?: string } = {}) =>
  gateway.fetch(path, { redirect: 'manual', ...init });
const branches = `/api/v4/projects/${project.id}/repository/branches`;

it('answers from its copy to callers whom the primary admits', async () => {
  const found = await at(branches, { token: 'ada-token' });
  expect([found.status, await found.json()]).toEqual([200, []]);
  expect((await at(branches)).status).toBe(404);
  expect((await at(branches, { token: 'unknown' })).status).toBe(401);
  expect((await at(branches, { token: 'away' })).status).toBe(503);
  expect(asked).toEqual([]);
});

it('forwards a request to the primary if it has no copy, or another project is named', async () => {
  storages.code = null;
  const found = await at(`${branches}?search=x%2Fy`, {
    token: 'ada-token',
    headers: { 'x-forwarded-for': '192.0.2.7' },
  });
  expect([found.status, found.headers.get('via'), found.headers.get('link')]).toEqual([
    200,
    '1.1 moothall-secondary',
    '<next>',
  ]);
  expect(await found.json()).toEqual({ from: 'primary', body: '' });
  const { request } = only(asked);
  expect([request.method, request.url]).toEqual(['GET', `${branches}?search=x%2Fy`]);
  expect(request.headers).toMatchObject({
    'private-token': 'ada-token',
    'x-forwarded-for': '192.0.2.7, 127.0.0.1',
    via: '1.1 moothall-secondary',
    host: new URL(url).host,
  });
  storages.code = 'default';
  const comparison = `/api/v4/projects/${project.id}/repository/compare?from=a&to=b&from_project_id=7`;
  expect(await (await at(comparison, { token: 'ada-token' })).json()).toMatchObject({ from: 'primary' });
  expect(compareRefs.onSecondary).toBe('code');
});

it('does not forward requests for records that the caller may not see', async () => {
  storages.code = null;
  expect((await at(branches)).status).toBe(404);
  expect(asked).toEqual([]);
});

it('forwards other reads before any state is known, with a body, too', async () => {
  expect(listIssues.onSecondary).toBeUndefined();
  await at('/api/v4/issues', { token: 'whoever' });
  await at('/api/v4/issues', { method: 'HEAD' });
  const [read, head] = asked;
  expect([read?.request.url, read?.request.headers['private-token'], head?.request.method]).toEqual([
    '/api/v4/issues',
    'whoever',
    'HEAD',
  ]);
  const body = '{"search":"x"}';
  const lines = ['content-type: application/json', `content-length: ${body.length}`];
  const client = await rawClient(gateway, [`GET ${branches} HTTP/1.1`, 'host: x', 'connection: close', ...lines]);
  client.socket.write(body);
  const answered = await client.ended;
  expect(answered).toContain('HTTP/1.1 200');
  expect(asked.at(-1)?.body).toBe(body);
  expect((await at('/api/v4/issues?unchanged')).status).toBe(304);
});

it('passes on questions of GraphQL, which only read, with their bodies', async () => {
  const body = JSON.stringify({ query: '{ currentUser { id } }' });
  const headers = { 'content-type': 'application/json' };
  const answer = await at('/api/graphql', { method: 'POST', body, headers, token: 'whoever' });
  expect([answer.status, await answer.json()]).toEqual([200, { from: 'primary', body }]);
  const { request } = only(asked);
  expect([request.method, request.url, request.headers['private-token']]).toEqual(['POST', '/api/graphql', 'whoever']);
});

it('answers its own operations', async () => {
  const nodes = await at('/api/v4/geo_nodes', { token: 'ada-token' });
  expect(nodes.status).toBe(403);
  expect(asked).toEqual([]);
});

it.each([
  ['POST', '/api/v4/projects'],
  ['PUT', `/api/v4/projects/1`],
  ['DELETE', branches],
  ['POST', '/api/v4/geo_nodes'],
  ['POST', '/api/v4/geo/status'],
  ['POST', '/api/v4/geo/questions'],
])('refuses %s %s with the address of the primary, and reads nothing of it', async (method, path) => {
  const answer = await at(path, { method, token: 'whoever', ...(method !== 'DELETE' && { body: '{' }) });
  // No site has this method for the path.
  if (answer.status === 405) return;
  expect([answer.status, await answer.json()]).toEqual([
    403,
    { message: `403 Forbidden - This site is a secondary, and changes nothing. Use its primary: ${url}` },
  ]);
  expect(asked).toEqual([]);
});

const changes = operations.flatMap((operation) =>
  operation.routes.filter(({ method }) => method !== 'GET').map((route) => ({ operation, route })),
);

it('refuses each operation that changes something, whatever is sent, and reads no body', async () => {
  const sent: [string, string][] = [
    ['application/json', '{'],
    ['application/json', JSON.stringify({ id: { $gt: '' }, name: '\0', message: 'x'.repeat(10_000) })],
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="file"; filename="../a"\r\n\r\n'],
    ['application/octet-stream', '\xff\xfe'],
  ];
  const hostile = ['-1', '%00', '..%2f..%2fetc', encodeURIComponent('ü'.repeat(300)), '9'.repeat(40)];
  const answered = new Set<string>();
  const here: string[] = [];
  expect(changes.length).toBeGreaterThan(300);
  for (const [index, { operation, route }] of changes.entries()) {
    if (operation.onSecondary === 'here') {
      here.push(operation.name);
      continue;
    }
    const [type, body] = sent[index % sent.length] as [string, string];
    const init = { method: route.method, body, headers: { 'content-type': type }, token: 'whoever' };
    for (const value of index % 4 === 0 ? ['1', hostile[index % hostile.length] as string] : ['1']) {
      const path = route.path.replace(/:\w+|\*/g, value);
      const answer = await at(route.isAtRoot ? path : `/api/v4${path}`, init);
      const text = await answer.text();
      // A too long or invalid path is refused earlier.
      const isRefused = answer.status === 403 && text.includes(`Use its primary: ${url}`);
      const isNoPath = value !== '1' && [400, 404, 405, 414].includes(answer.status);
      if (!isRefused && !isNoPath) answered.add(`${operation.name} ${route.method} ${path}: ${answer.status} ${text}`);
    }
  }
  expect([...answered]).toEqual([]);
  // The registry of this site sends its own events.
  expect(here).toEqual([takeRegistryEvents.name]);
  expect(asked).toEqual([]);
}, 60_000);

it('sends browsers to the primary', async () => {
  const headers = { accept: 'text/html' };
  for (const path of ['/', `/${project.fullPath}?a=b`, '/users/sign_in']) {
    const page = await at(path, { headers });
    expect([page.status, page.headers.get('location')]).toEqual([302, `${url}${path}`]);
  }
});

it('refuses forms of pages', async () => {
  const form = await at(`/${project.fullPath}/-/issues/new`, {
    method: 'POST',
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    body: 'title=x',
  });
  expect([form.status, await form.text()]).toEqual([403, expect.stringContaining(url)]);
});

it('sends everybody to the primary for files at addresses of browsers', async () => {
  for (const below of ['/-/raw/main/a.txt', '/-/jobs/5/raw']) {
    const file = await at(`/${project.fullPath}${below}`);
    expect([file.status, file.headers.get('location')]).toEqual([302, `${url}/${project.fullPath}${below}`]);
  }
});

it('redirects pushes to the primary, and forwards a fetch without a local copy', async () => {
  const refs = (service: string) => at(`/${project.fullPath}.git/info/refs?service=${service}`, { token: 'ada-token' });
  const push = await refs('git-receive-pack');
  expect([push.status, await push.text()]).toEqual([
    403,
    `This site is a secondary, and holds copies. Use its primary: ${url}/${project.fullPath}.git\n`,
  ]);
  storages.code = null;
  expect(await (await refs('git-upload-pack')).json()).toMatchObject({ from: 'primary' });
  storages.code = 'default';
  let storage: string | undefined;
  gateway.stubs.respond(gitExchange, (_input, context) => {
    storage = context.project?.storage;
    return commonErrors.unavailable();
  });
  expect((await refs('git-upload-pack')).status).toBe(503);
  expect(storage).toBe('default');
  const rpc = await at(`/${project.fullPath}.wiki.git/git-upload-pack`, {
    method: 'POST',
    token: 'ada-token',
    headers: { 'content-type': 'application/x-git-upload-pack-request' },
    body: '0000',
  });
  expect(await rpc.json()).toEqual({ from: 'primary', body: '0000' });
});

it('reports that the primary does not answer, and does not forward in a cycle', async () => {
  isSilent = true;
  const answer = await at('/api/v4/issues');
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { message: '503 Service Unavailable - The primary of this site does not answer' },
  ]);
  const round = await at('/api/v4/issues', { headers: { via: '1.0 squid, 1.1 moothall-secondary' } });
  expect([round.status, await round.json()]).toEqual([
    503,
    { message: '503 Service Unavailable - The primary of this site is a secondary itself' },
  ]);
});
