import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { exitCodeTrailer } from '@moothall/contracts';
import { pipeSession } from './pipe-session';

/**
 * A data port that refuses at the first bytes it gets, as the repository service does with a push. In a separate
 * thread, since it closes while this one writes.
 */
const refusing = new Worker(
  `const server = require('node:http').createServer((request, response) => {
     response.writeHead(200, { trailer: '${exitCodeTrailer}' }).write('refs,');
     request.once('data', () => {
       request.resume();
       response.write('refused');
       response.addTrailers({ '${exitCodeTrailer}': '3' });
       response.end();
     });
   }).listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port));`,
  { eval: true },
);
const listening = once(refusing, 'message');
afterAll(() => refusing.terminate());

/** A sender of small parts, which ignores responses. */
const sender = createServer((socket) => {
  let parts = 0;
  const send = () => {
    // It never ends the request: a slow response must find it open.
    if (socket.destroyed || ++parts > 300) return;
    socket.write(Buffer.alloc(3000));
    setImmediate(send);
  };
  socket.on('error', () => undefined);
  send();
});
beforeAll(() => once(sender.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => sender.close());

it('delivers the answer and the exit code to a client that is still sending', async () => {
  const [port] = (await listening) as [number];
  for (let round = 0; round < 300; round += 1) {
    const heard = new PassThrough();
    const sending = connect((sender.address() as AddressInfo).port, '127.0.0.1');
    const channel = Object.assign(sending, { write: heard.write.bind(heard) });
    const exitCode = await pipeSession(channel, `http://127.0.0.1:${port}/`);
    heard.end();
    sending.destroy();
    expect([exitCode, await text(heard)]).toEqual([3, 'refs,refused']);
  }
});
