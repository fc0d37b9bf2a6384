import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createProject, getArchive, getUser, listUsers, OperationError } from '@moothall/contracts';
import { findFreePort } from '@moothall/infrastructure';
import { callerNamed, eventually, projectNamed } from '@moothall/testing';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';
import { type RawClient, rawClient } from './raw-client';

/* Resources that callers share: memory for bodies, unread responses, requests by address. */

const megabyte = 1024 ** 2;
let gateway: GatewayUnderTest;
let dataPort: number;

beforeAll(async () => {
  dataPort = await findFreePort();
  gateway = await startGatewayUnderTest({
    MAX_BODIES: '8MB',
    ANSWER_IDLE_TIMEOUT: '2',
    ANSWER_LEAST_RATE: '4MB',
    ARCHIVE_RATE_LIMIT: '1',
    TRUST_PROXY: '192.0.2.1,127.0.0.1',
    DATA_PORT: String(dataPort),
  });
  for (const name of ['ann', 'bob']) gateway.knowCaller(name, callerNamed(name));
  gateway.knowProject(projectNamed('own', { id: 1, accessLevel: 40 }));
  gateway.stubs.respond(createProject, () => ({}) as never);
  await gateway.stubs.received();
});
afterAll(() => gateway?.stop());

describe('bodies under way', () => {
  const clients: RawClient[] = [];
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy();
  });
  const begin = async (token: string, ...headers: string[]) => {
    const lines = ['POST /api/v4/projects HTTP/1.1', 'host: a', 'content-type: application/json'];
    const client = await rawClient(gateway, [...lines, `private-token: ${token}`, ...headers]);
    clients.push(client);
    return client;
  };
  const create = (token: string) =>
    gateway.fetch('/api/v4/projects', {
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a' }),
    });

  it('of one caller leave room for others, and are counted until they end', async () => {
    const half = await Promise.all([1, 2, 3, 4].map(() => begin('ann', `content-length: ${megabyte}`)));
    // They are counted after authentication.
    await eventually(async () => (await create('ann')).status === 429);
    const refused = await begin('ann', `content-length: ${megabyte}`);
    await eventually(() => refused.received().includes('}'));
    expect(refused.received()).toMatch(/^HTTP\/1\.1 429 .*retry-after: 60\r\n.*{"error":/is);
    expect((await create('bob')).status).toBe(201);
    for (const { socket } of half) socket.destroy();
    await eventually(async () => (await create('ann')).status === 201);
  });

  it('of unknown length are counted as they arrive', async () => {
    const client = await begin('ann', 'transfer-encoding: chunked');
    client.socket.write(`500000\r\n{"name":"a","description":"${'x'.repeat(5 * megabyte)}`);
    await eventually(() => client.received().includes('}'));
    expect(client.received()).toMatch(/^HTTP\/1\.1 429 /);
  });

  // Two checks use the same bytes there: the free budget, and the limit of anonymous callers.
  it('of anonymous callers are refused like others, without a crash', async () => {
    for (let one = 0; one < 4; one++) await begin('ann', `content-length: ${megabyte}`);
    await eventually(async () => (await create('ann')).status === 429);
    const chunked = ['POST /api/v4/projects HTTP/1.1', 'host: a', 'content-type: application/json'];
    for (let one = 0; one < 6; one++)
      clients.push(await rawClient(gateway, [...chunked, 'transfer-encoding: chunked']));
    const strangers = clients.slice(4);
    for (const { socket } of strangers) socket.write(`f0000\r\n{"name":"${'x'.repeat(0xf0000 - 9)}\r\n`);
    await eventually(() => strangers.some(({ received }) => received().includes(' 429 ')));
    expect((await gateway.fetch('/api/v4/version')).status).toBe(401);
  });
});

it('closes an answer that is read too slowly, and no other', async () => {
  const name = 'x'.repeat(megabyte / 2);
  gateway.stubs.respond(listUsers, () => ({ items: Array(12).fill({ name }), total: 12 }) as never);
  const length = (await (await gateway.fetch('/api/v4/users', { token: 'ann' })).text()).length;
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /api/v4/users HTTP/1.1\r\nhost: a\r\nprivate-token: ann\r\n\r\n');
  let received = 0;
  const drops = setInterval(() => {
    received += socket.read(4096)?.length ?? 0;
    // A client that hardly reads notices the end by writing.
    socket.write('\r\n');
  }, 100);
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(drops);
  expect(received).toBeGreaterThan(0);
  expect(received).toBeLessThan(length);
});

it('sends Retry-After after a limit, and while a service is not available', async () => {
  gateway.stubs.respond(getArchive, () => new OperationError({ code: 'common.not_found' }) as never);
  const archive = () => gateway.fetch('/api/v4/projects/1/repository/archive', { token: 'ann' });
  await archive();
  const limited = await archive();
  expect(limited.status).toBe(429);
  const seconds = Number(limited.headers.get('retry-after'));
  expect([seconds > 0, seconds <= 60]).toEqual([true, true]);
  const away = await gateway.fetch('/api/v4/projects/1/labels', { token: 'ann' });
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5']);
});

describe('the client address', () => {
  let seen: string | undefined;
  beforeAll(async () => {
    gateway.stubs.respond(getUser, (_input, { client }) => {
      seen = client?.ip;
      return { id: 1 } as never;
    });
    await gateway.stubs.received();
  });
  const askFrom = async (localAddress: string, forwarded: string) => {
    const headers = { 'private-token': 'ann', 'x-forwarded-for': forwarded };
    const asked = request(`${gateway.url}/api/v4/users/1`, { localAddress, headers, agent: false }).end();
    const [answer] = await once(asked, 'response');
    await text(answer);
    return seen;
  };

  it('is the last one in the header of a trusted proxy that is not a trusted proxy', async () => {
    expect(await askFrom('127.0.0.1', '198.51.100.7')).toBe('198.51.100.7');
    expect(await askFrom('127.0.0.1', '203.0.113.9, 198.51.100.7, 192.0.2.1')).toBe('198.51.100.7');
  });

  it('is that of the connection if it is not from a trusted proxy', async () => {
    expect(await askFrom('127.0.0.2', '198.51.100.7')).toBe('127.0.0.2');
  });
});

it('listens on the configured data port', async () => {
  const socket = connect(dataPort, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
});
