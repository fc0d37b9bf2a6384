import { OutboundProxy } from '../src';
import { Remote, sendText, signed } from './remote';

let remote: Remote;
let hits = 0;
beforeAll(async () => {
  remote = await Remote.saying((socket) => {
    hits++;
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nreached');
  });
});
afterAll(() => remote.close());

const allowing = new OutboundProxy(async () => ({ allowsLocal: false, allowed: [`127.0.0.1:${remote.port}`] }));
const blocking = new OutboundProxy(async () => ({ allowsLocal: false, allowed: [] }));
let [open, closed] = ['', ''];
beforeAll(async () => {
  [open, closed] = [await allowing.listen(), await blocking.listen()];
});
afterAll(() => Promise.all([allowing.close(), blocking.close()]));

const statusOf = async (proxy: string, ...lines: string[]): Promise<number> => {
  const answer = await sendText(proxy, `${lines.join('\r\n')}\r\n\r\n`, (text) => text.includes('\r\n\r\n'));
  return Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1]);
};
const connectTo = (host: string) => `CONNECT ${host}:${remote.port} HTTP/1.1`;
const get = (host: string) => [`GET http://${host}:${remote.port}/ HTTP/1.1`, `Host: ${host}:${remote.port}`];

it('serves only clients with its secret', async () => {
  expect(await statusOf(open, connectTo('127.0.0.1'))).toBe(407);
  expect(await statusOf(open, connectTo('127.0.0.1'), signed(closed))).toBe(407);
  expect(await statusOf(open, ...get('127.0.0.1'))).toBe(407);
});

it('allows addresses on the allowlist', async () => {
  expect(await statusOf(open, connectTo('127.0.0.1'), signed(open))).toBe(200);
  expect(await statusOf(open, ...get('127.0.0.1'), signed(open))).toBe(200);
});

it.each([
  '127.0.0.1',
  'localhost',
  '0.0.0.0',
  '2130706433',
  '0x7f.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[::ffff:0:127.0.0.1]',
])('reaches this machine as %s neither by a tunnel nor by a request', async (host) => {
  const before = hits;
  expect(await statusOf(closed, connectTo(host), signed(closed))).toBe(403);
  expect(await statusOf(closed, ...get(host), signed(closed))).toBe(403);
  expect(hits).toBe(before);
});

it.each([
  'CONNECT nowhere HTTP/1.1',
  'CONNECT :0 HTTP/1.1',
  'GET / HTTP/1.1',
  'GET http:/// HTTP/1.1',
  'CONNECT [::1:80 HTTP/1.1',
])('refuses %s', async (line) => {
  expect(await statusOf(open, line, 'Host: x', signed(open))).toBe(400);
});

it('reports a name without an address', async () => {
  expect(await statusOf(open, connectTo('nowhere.invalid'), signed(open))).toBe(502);
});
