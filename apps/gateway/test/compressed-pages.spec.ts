import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listUsers, Reply, showPage, showSignIn } from '@moothall/contracts';
import { callerNamed } from '@moothall/testing';
import { type Dispatcher, request } from 'undici';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

const page = `<!doctype html>${'<p>ä line of a page</p>\n'.repeat(200)}`;
/** Compressed in a thread. */
const largePage = page.repeat(20);
const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };

let gateway: GatewayUnderTest;

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  gateway.knowCaller('token', callerNamed('ada', { isAdmin: true }));
  gateway.stubs.respond(showPage, ({ path }) => {
    if (path === '/small') return new Reply('<!doctype html>a small page', { status: 200, headers: html });
    if (path === '/moved') return new Reply('', { status: 302, headers: { location: '/a' } });
    const status = path === '/missing' ? 404 : 200;
    return new Reply(path === '/large' ? largePage : page, { status, headers: html });
  });
  gateway.stubs.respond(showSignIn, () => new Reply(page, { status: 200, headers: html }));
  gateway.stubs.respond(listUsers, () => Array(100).fill({ id: 1, username: 'a'.repeat(100) }) as never);
});
afterAll(() => gateway.stop());

/** The body is returned as it was sent. */
async function load(path: string, encoding?: string, method: Dispatcher.HttpMethod = 'GET') {
  await gateway.stubs.received();
  const { statusCode, headers, body } = await request(gateway.url + path, {
    method,
    headers: { accept: 'text/html', ...(encoding !== undefined && { 'accept-encoding': encoding }) },
  });
  return { status: statusCode, headers, body: Buffer.from(await body.arrayBuffer()) };
}

const decoders: Record<string, (body: Buffer) => Buffer> = { gzip: gunzipSync, br: brotliDecompressSync };

it.each([
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['*', 'br'],
])('sends a page to a client that accepts %j by %s', async (accepted, encoding) => {
  for (const [path, status, text] of [
    ['/a', 200, page],
    ['/large', 200, largePage],
    ['/missing', 404, page],
    ['/users/sign_in', 200, page],
  ] as const) {
    const { headers, body, ...answer } = await load(path, accepted);
    expect([answer.status, decoders[encoding]!(body).toString()]).toEqual([status, text]);
    expect(headers).toMatchObject({ ...html, 'content-encoding': encoding, 'content-length': String(body.length) });
    expect(body.length).toBeLessThan(text.length / 10);
    expect(headers.vary).toMatch(/\bOrigin, Accept-Encoding$/);
  }
});

it.each([
  undefined,
  '',
  'identity',
  'gzip;q=0',
  'gzip;q=0, br;q=0.000',
  'identity, gzip;q=0.5',
  'deflate',
  '*;q=0',
  ';,;q',
  ',;='.repeat(5000),
])('sends a page as it is to a client that accepts %j', async (accepted) => {
  const { headers, body } = await load('/a', accepted);
  expect([headers['content-encoding'], body.toString()]).toEqual([undefined, page]);
  expect(headers.vary).toMatch(/\bAccept-Encoding$/);
});

it('sends small pages and redirects as they are', async () => {
  const [small, moved] = [await load('/small', 'gzip'), await load('/moved', 'gzip')];
  expect([small.headers['content-encoding'], small.body.toString()]).toEqual([
    undefined,
    '<!doctype html>a small page',
  ]);
  expect([moved.status, moved.headers['content-encoding'], moved.body.length]).toEqual([302, undefined, 0]);
});

const varying = new Set(['date', 'x-request-id', 'x-runtime', 'connection', 'keep-alive']);
const constant = (headers: object) => Object.entries(headers).filter(([name]) => !varying.has(name));

it.each(['gzip', 'identity'])('answers HEAD with the headers of GET: %s', async (accepted) => {
  const [get, head] = [await load('/a', accepted), await load('/a', accepted, 'HEAD')];
  expect([head.status, head.body.length, constant(head.headers)]).toEqual([200, 0, constant(get.headers)]);
});

it('leaves JSON of the API as it is', async () => {
  const answer = await gateway.ask('/api/v4/users', {
    method: 'GET',
    token: 'token',
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect(JSON.parse(answer.body)).toHaveLength(100);
  expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, 'Origin']);
});
