import { createServer, get, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { OutboundBlocked, OutboundProxy, outboundAgents } from '../src';

let target: Server;
let port: number;
let hits = 0;
beforeAll(async () => {
  target = createServer((_request, response) => {
    hits++;
    response.end('reached');
  });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  port = (target.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => target.close(resolve)));

const closed = async () => ({ allowsLocal: false, allowed: [] as string[] });
const open = async () => ({ allowsLocal: false, allowed: [`127.0.0.1:${port}`] });

function ask(host: string, policy: typeof closed): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ host, port, agent: outboundAgents(policy).http }, (answer) => {
      answer.setEncoding('utf8').once('data', resolve);
    }).once('error', reject);
  });
}

it.each(['127.0.0.1', 'localhost', '0.0.0.0', '2130706433', '0x7f.1', '::ffff:127.0.0.1'])(
  'does not reach this machine as %s',
  async (host) => {
    const before = hits;
    await expect(ask(host, closed)).rejects.toBeInstanceOf(OutboundBlocked);
    expect(hits).toBe(before);
  },
);

it('reaches what an administrator has allowed', async () => {
  expect(await ask('127.0.0.1', open)).toBe('reached');
});

/** What the proxy answers to raw words of HTTP. */
async function say(proxyUrl: string, lines: string[]): Promise<string> {
  const { hostname, port: proxyPort } = new URL(proxyUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(proxyPort), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\r\n\r\n')) {
        socket.destroy();
        resolve(text);
      }
    });
    socket.once('error', reject);
  });
}

it('checks the connections of programs, which need its secret', async () => {
  const allowing = new OutboundProxy(open);
  const blocking = new OutboundProxy(closed);
  try {
    const [good, bad] = [await allowing.listen(), await blocking.listen()];
    const sign = (url: string) => {
      const { username, password } = new URL(url);
      return `Proxy-Authorization: Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    };
    const connectTo = `CONNECT 127.0.0.1:${port} HTTP/1.1`;
    expect(await say(good, [connectTo])).toMatch(/^HTTP\/1.1 407/);
    expect(await say(good, [connectTo, sign(good)])).toMatch(/^HTTP\/1.1 200/);
    expect(await say(bad, [connectTo, sign(bad)])).toMatch(/^HTTP\/1.1 403/);
    const plain = `GET http://127.0.0.1:${port}/ HTTP/1.1`;
    const host = `Host: 127.0.0.1:${port}`;
    expect(await say(good, [plain, host, sign(good)])).toMatch(/^HTTP\/1.1 200/);
    expect(await say(bad, [plain, host, sign(bad)])).toMatch(/^HTTP\/1.1 403/);
  } finally {
    await allowing.close();
    await blocking.close();
  }
});
