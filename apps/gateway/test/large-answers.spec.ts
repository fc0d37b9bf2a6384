import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { listUsers, showPage, subjectOf } from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { type LargeMessage, LargeMessageStore } from '@moothall/messaging';
import { callerNamed } from '@moothall/testing';
import { headers } from 'nats';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

/* Large messages of services, as clients receive them. The service is a data port and a large message in its reply. */

const megabyte = 1024 * 1024;
const path = '/api/v4/users';

let gateway: GatewayUnderTest;
let dataPort: DataPort;
let largeMessages: LargeMessageStore;
const sockets = new Set<Socket>();

beforeAll(async () => {
  // One caller reads twenty responses concurrently here.
  gateway = await startGatewayUnderTest({ SLOW_REQUESTS_PER_CALLER: '100' });
  gateway.knowCaller('token', callerNamed('ada', { isAdmin: true }));
  dataPort = new DataPort({ host: '127.0.0.1', port: 0, signingKey: 'a key of the tests' }, () => undefined);
  const { server } = dataPort as unknown as { server: { on(name: string, hear: (socket: Socket) => void): void } };
  server.on('connection', (socket) => sockets.add(socket));
  largeMessages = new LargeMessageStore(dataPort);
  await dataPort.listen();
});
afterAll(async () => {
  await gateway.stop();
  await dataPort.close();
  await largeMessages.close();
});

let answered: LargeMessage | undefined;

/** From now on the list of users is this text; each request gets its own large message. */
async function answerWith(text: string, page: { total?: number }): Promise<void> {
  stop?.();
  const subscription = gateway.connection.subscribe(subjectOf(listUsers, { requestId: '' }), {
    callback: async (_, message) => {
      answered = await largeMessages.keep({ texts: [text], items: 20 });
      const head = headers();
      head.set('reply', JSON.stringify({ page, parcel: answered }));
      message.respond(new Uint8Array(0), { headers: head });
    },
  });
  stop = () => subscription.unsubscribe();
  await gateway.connection.flush();
}
let stop: (() => void) | undefined;

it('sends the whole body, with length, paging and ETag', async () => {
  const text = JSON.stringify(Array(20).fill('ü'.repeat(megabyte)));
  await answerWith(text, {});
  const response = await gateway.fetch(path, { token: 'token' });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
    'x-next-page': '2',
    etag: `W/"${answered!.sha1.slice(0, 32)}"`,
  });
  expect(await response.text()).toBe(text);
});

it('sends 304 if the client has the current version', async () => {
  await answerWith(JSON.stringify(['x'.repeat(megabyte)]), { total: 1 });
  const first = await gateway.fetch(path, { token: 'token' });
  await first.text();
  const etag = first.headers.get('etag')!;
  const second = await gateway.fetch(path, { token: 'token', headers: { 'if-none-match': etag } });
  expect([second.status, await second.text()]).toEqual([304, '']);
});

it('answers HEAD', async () => {
  await answerWith(JSON.stringify(['x'.repeat(megabyte)]), { total: 1 });
  const head = await gateway.fetch(path, { token: 'token', method: 'HEAD' });
  expect([head.status, await head.text(), head.headers.get('x-total')]).toEqual([200, '', '1']);
});

it('answers 503 if the service ended before its first byte', async () => {
  const gone = new DataPort({ host: '127.0.0.1', port: 0, signingKey: 'a key of the tests' }, () => undefined);
  const theirs = new LargeMessageStore(gone);
  await gone.listen();
  await answerWith('[]', { total: 0 });
  const keep = jest.spyOn(largeMessages, 'keep').mockImplementation(async () => {
    const parcel = await theirs.keep({ texts: ['x'.repeat(megabyte)] });
    await gone.close();
    return parcel;
  });
  const response = await gateway.fetch(path, { token: 'token' });
  keep.mockRestore();
  await theirs.close();
  expect([response.status, await response.json()]).toEqual([503, { message: '503 Service Unavailable' }]);
  expect(response.headers.get('etag')).toBeNull();
});

it('closes the connection if the service dies in the middle, so that no client takes it as complete', async () => {
  await answerWith(`["${'x'.repeat(40 * megabyte)}"]`, { total: 1 });
  const response = await begin();
  await once(response, 'data');
  for (const socket of sockets) socket.destroy();
  response.resume();
  await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('buffers nothing for slow readers', async () => {
  const text = `["${'x'.repeat(30 * megabyte)}"]`;
  await answerWith(text, { total: 1 });
  await drain(await begin());
  const before = memory();
  const slow = await Promise.all(Array.from({ length: 20 }, begin));
  await Promise.all(slow.map((response) => once(response.pause(), 'readable')));
  // 600 MB are in transit; sockets buffer some hundred KB of each response.
  expect(memory() - before).toBeLessThan(200 * megabyte);
  expect(await Promise.all(slow.map(drain))).toEqual(Array(20).fill(text.length));
}, 120_000);

const memory = (): number => {
  global.gc?.();
  return process.memoryUsage().rss;
};

async function begin(): Promise<IncomingMessage> {
  const request = get(`${gateway.url}${path}`, { headers: { 'private-token': 'token' }, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function drain(response: IncomingMessage): Promise<number> {
  let length = 0;
  for await (const chunk of response) length += (chunk as Buffer).length;
  return length;
}

/** From now on all pages are this text. */
async function showAlways(page: string): Promise<void> {
  stop?.();
  const subscription = gateway.connection.subscribe(showPage.name, {
    callback: async (_, message) => {
      const head = headers();
      const parcel = await largeMessages.keep({ texts: [page], items: 1 });
      head.set('reply', JSON.stringify({ headers: { 'content-type': 'text/html; charset=utf-8' }, parcel }));
      message.respond(new Uint8Array(0), { headers: head });
    },
  });
  stop = () => subscription.unsubscribe();
  await gateway.connection.flush();
}

describe('a page that is larger than a message', () => {
  it.each(['identity', 'gzip', 'br'])('is sent, with the encoding %s', async (encoding) => {
    const page = `<!doctype html>${'a line of a page\n'.repeat(200_000)}`;
    await showAlways(page);
    const response = await gateway.fetch('/a/page', { headers: { accept: 'text/html', 'accept-encoding': encoding } });
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding);
    expect(response.headers.get('content-length')).toBe(encoding === 'identity' ? String(page.length) : null);
    expect(await response.text()).toBe(page);
  });

  it('is cut off if the service dies in the middle, so that no browser takes it as complete', async () => {
    await showAlways(randomBytes(15 * megabyte).toString('base64'));
    const asBrowser = { accept: 'text/html', 'accept-encoding': 'gzip' };
    const request = get(`${gateway.url}/a/page`, { headers: asBrowser, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await once(response, 'data');
    for (const socket of sockets) socket.destroy();
    response.resume();
    await expect(once(response, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
