import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fastify, { type FastifyInstance } from 'fastify';
import { hangUpAfterAnswer } from './hang-up';
import { streamPresigned } from './presigned-stream';

const block = Buffer.alloc(1 << 20);

describe('an exchange through the gateway', () => {
  let service: Server;
  let gateway: FastifyInstance;
  let answer: (body: AsyncIterable<Buffer>) => Promise<string>;
  const failures: unknown[] = [];

  beforeAll(async () => {
    service = createServer(async (incoming, outgoing) => {
      outgoing.once('finish', () => incoming.resume());
      outgoing.end(await answer(incoming.iterator({ destroyOnReturn: false })));
    });
    await once(service.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`;
    gateway = fastify();
    gateway.addContentTypeParser('*', (_request, _payload, done) => done(null));
    gateway.addHook('onSend', (asked, _reply, payload, done) => {
      if (!asked.raw.complete) hangUpAfterAnswer(asked.raw);
      done(null, payload);
    });
    gateway.setErrorHandler((error, _request, reply) => {
      failures.push(error);
      return reply.code(500).send();
    });
    gateway.post('/', (asked, reply) => streamPresigned({ url }, asked, reply, { sendsBody: true }));
    await gateway.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(async () => {
    service.closeAllConnections();
    await Promise.all([gateway.close(), new Promise((resolve) => service.close(resolve))]);
  });

  const begin = () => {
    const { port } = gateway.server.address() as AddressInfo;
    const outgoing = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'a/b' },
    });
    outgoing.on('error', () => undefined);
    return outgoing;
  };

  it('returns the whole body', async () => {
    answer = async (body) => {
      let bytes = 0;
      for await (const chunk of body) bytes += chunk.length;
      return String(bytes);
    };
    const outgoing = begin();
    for (let n = 0; n < 8; n++) outgoing.write(block);
    outgoing.end();
    const [incoming] = await once(outgoing, 'response');
    expect(await text(incoming)).toBe(String(8 * block.length));
  });

  // A refused push: git has read as much as it wants, and the client keeps sending.
  it('returns the answer of a service that stops reading to a client that still sends', async () => {
    answer = async () => 'refused';
    const outgoing = begin();
    for (let n = 0; n < 32; n++) outgoing.write(block);
    const [incoming] = await once(outgoing, 'response');
    expect([incoming.statusCode, await text(incoming), failures]).toEqual([200, 'refused', []]);
    outgoing.destroy();
  });

  it('informs the service if the client disconnects', async () => {
    const heard = new Promise((resolve) => {
      answer = async (body) => {
        try {
          for await (const _chunk of body) outgoing.destroy();
          resolve('the end');
        } catch {
          resolve('gone');
        }
        return '';
      };
    });
    const outgoing = begin();
    outgoing.write(block);
    expect(await heard).toBe('gone');
  });
});
