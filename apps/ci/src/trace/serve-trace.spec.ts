import type { IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import type { DataPort, PresignedHandler } from '@moothall/data-port';
import { serveTraces } from './serve-trace';
import type { Traces } from './trace.repository';

it('waits for a slow reader without a listener more for each piece', async () => {
  let handle: PresignedHandler<{ jobId: number }> | undefined;
  const dataPort = {
    serve: (_name: string, handler: typeof handle) => {
      handle = handler;
    },
  };
  const traces = {
    async *read() {
      for (let piece = 0; piece < 50; piece++) yield Buffer.from('x');
    },
  };
  serveTraces(dataPort as unknown as DataPort, traces as unknown as Traces);
  let [mostListeners, written] = [0, 0];
  const response = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      mostListeners = Math.max(mostListeners, response.listenerCount('close'));
      written += chunk.length;
      setImmediate(done);
    },
  });
  Object.assign(response, { writeHead: () => response });
  await handle?.({ jobId: 1 }, {} as IncomingMessage, response as unknown as ServerResponse);
  expect(written).toBe(50);
  expect(mostListeners).toBeLessThan(10);
});
