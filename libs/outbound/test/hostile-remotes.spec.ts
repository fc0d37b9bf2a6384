import type { Socket } from 'node:net';
import fc from 'fast-check';
import { OutboundProxy } from '../src';
import { Remote, sendText, signed } from './remote';

/*
 * Whatever another server sends, it affects only its own request. An exception would fail the test in which it
 * occurs, and the proxy would not answer the next one.
 */

const waits = { silentMs: 20_000, endedMs: 200 };
const proxy = new OutboundProxy(async () => ({ allowsLocal: true, allowed: [] }), waits);
let url = '';
beforeAll(async () => {
  url = await proxy.listen();
});
afterAll(() => proxy.close());

async function ask(remote: Remote, method = 'GET'): Promise<string> {
  const head = `${method} http://127.0.0.1:${remote.port}/info/refs HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close`;
  return sendText(url, `${head}\r\n${signed(url)}\r\n\r\n`, (text) => text.length > 10_000_000);
}

/** How the proxy gets on with a remote, and that it serves the next one. */
async function survives(speak: (socket: Socket) => void, method?: string): Promise<string> {
  const remote = await Remote.saying(speak);
  const well = await Remote.saying((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  try {
    const answer = await ask(remote, method);
    expect(await ask(well)).toMatch(/^HTTP\/1.1 200.*ok$/s);
    return answer;
  } finally {
    await Promise.all([remote.close(), well.close()]);
  }
}

const once = (text: string) => (socket: Socket) => void socket.end(Buffer.from(text, 'latin1'));

it.each<[string, string]>([
  ['a trailer beside a length', 'HTTP/1.1 200 OK\r\nTrailer: x\r\nContent-Length: 2\r\n\r\nok'],
  ['a status of two digits', 'HTTP/1.1 099 What\r\nContent-Length: 0\r\n\r\n'],
  ['a status of zero', 'HTTP/1.1 000 What\r\n\r\n'],
  ['a status of 999', 'HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n'],
  ['control characters in the reason', 'HTTP/1.1 200 O\x01K\x00\x7f\r\nContent-Length: 0\r\n\r\n'],
  ['bytes above ASCII in the reason', 'HTTP/1.1 200 \xff\xfe\r\nContent-Length: 0\r\n\r\n'],
  ['a broken header', 'HTTP/1.1 200 OK\r\nB\x00ad: \x01\x02\r\n: empty\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nokokok'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  ],
  ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n'],
  ['an absurd length', `HTTP/1.1 200 OK\r\nContent-Length: ${'9'.repeat(40)}\r\n\r\n`],
  ['chunks that are none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nnonsense'],
  ['a chunk of absurd length', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'f'.repeat(32)}\r\nx`],
  [
    'trailers of chunks',
    'HTTP/1.1 200 OK\r\nTrailer: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\na: \x01\r\n\r\n',
  ],
  ['a body cut short', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'],
  ['an upgrade nobody asked for', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'],
  ['a proxy that wants a password', 'HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n'],
  [
    'many interim answers',
    `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(5000)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
  ],
  ['two answers', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ['a thousand headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(1000)}\r\n`],
  ['headers without end', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(10_000_000)}`],
  ['a body with 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello'],
  ['connection headers', 'HTTP/1.1 200 OK\r\nConnection: content-length, \x01\r\nContent-Length: 0\r\n\r\n'],
  ['the words of TLS', '\x15\x03\x01\x00\x02\x02\x28'],
  ['nothing', ''],
])('answers or fails when a remote sends %s', async (_what, text) => {
  await survives(once(text));
  await survives(once(text), 'HEAD');
});

it('passes on a redirect, which git then follows through it', async () => {
  const redirect = 'HTTP/1.1 302 Found\r\nLocation: http://1.2.3.4.5/\r\nContent-Length: 0\r\n\r\n';
  expect(await survives(once(redirect))).toMatch(/Location: http:\/\/1\.2\.3\.4\.5\//i);
  const next = await sendText(url, `GET http://1.2.3.4.5/ HTTP/1.1\r\nHost: x\r\n${signed(url)}\r\n\r\n`, () => true);
  expect(next).toMatch(/^HTTP\/1.1 400/);
});

it('gives up a connection that is reset in the middle', async () => {
  await survives((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    socket.resetAndDestroy();
  });
});

it('gives up a silent remote', async () => {
  const impatient = new OutboundProxy(async () => ({ allowsLocal: true, allowed: [] }), {
    silentMs: 100,
    endedMs: 100,
  });
  const remote = await Remote.saying(() => {});
  try {
    const address = await impatient.listen();
    for (const line of [`GET http://127.0.0.1:${remote.port}/ HTTP/1.1`, `CONNECT 127.0.0.1:${remote.port} HTTP/1.1`])
      await sendText(address, `${line}\r\nHost: x\r\n${signed(address)}\r\n\r\nhello`, () => false);
  } finally {
    await Promise.all([impatient.close(), remote.close()]);
  }
});

/** Answers composed of almost valid parts. */
const answers = fc
  .record({
    start: fc.constantFrom(
      'HTTP/1.1 200 OK',
      'HTTP/1.0 200',
      'HTTP/1.1 304 X',
      'HTTP/2 200',
      'HTTP/1.1 099',
      'ICY 200 OK',
    ),
    headers: fc.array(
      fc.tuple(
        fc.constantFrom('Content-Length', 'Transfer-Encoding', 'Trailer', 'Connection', 'Upgrade', 'Location', 'X', ''),
        fc.oneof(
          fc.constantFrom('5', 'chunked', 'gzip, chunked', 'close', 'keep-alive', 'http://[/', 'Trailer', 'upgrade'),
          fc.string({ unit: 'binary-ascii', maxLength: 20 }),
        ),
      ),
      { maxLength: 6 },
    ),
    end: fc.constantFrom('\r\n\r\n', '\n\n', '\r\n', ''),
    body: fc.oneof(fc.constantFrom('5\r\nhello\r\n0\r\n\r\n', '5\r\nhell', 'hello'), fc.string({ maxLength: 40 })),
  })
  .map(({ start, headers, end, body }) =>
    [start, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n').concat(end, body),
  );

it('outlives 500 answers put together by chance', async () => {
  const speak = { text: '' };
  const remote = await Remote.saying((socket) => void socket.end(Buffer.from(speak.text, 'latin1')));
  try {
    await fc.assert(
      fc.asyncProperty(answers, async (text) => {
        speak.text = text;
        await ask(remote);
      }),
      { numRuns: 500 },
    );
  } finally {
    await remote.close();
  }
});

it('tunnels any bytes, half-closed or reset, and continues', async () => {
  for (const end of ['end', 'resetAndDestroy', 'destroy'] as const) {
    const remote = await Remote.saying((socket) => {
      socket.write(Buffer.alloc(100_000, 1));
      socket[end]();
    });
    const head = `CONNECT 127.0.0.1:${remote.port} HTTP/1.1\r\nHost: x\r\n${signed(url)}\r\n\r\nhello`;
    expect(await sendText(url, head, () => false)).toMatch(/^HTTP\/1.1 200|^$/);
    await remote.close();
  }
});
