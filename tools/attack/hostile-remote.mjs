/** A server that answers git with invalid responses. */
import { once } from 'node:events';
import { createServer } from 'node:net';

const answers = [
  'HTTP/1.1 200 OK\r\nTrailer: X\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 099 Strange\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 302 Found\r\nLocation: http://1.2.3.4.5/\r\nContent-Length: 0\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
  `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`,
  'nonsense\r\n\r\n',
  '',
];

export async function startHostileRemote() {
  let turn = 0;
  const server = createServer((socket) => {
    // The client has disconnected.
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answers[turn++ % answers.length]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}
