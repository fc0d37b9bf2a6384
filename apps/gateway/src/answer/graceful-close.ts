import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** A connection without a request for so long is idle. */
const quietMs = 1_000;
const mostMs = 3_000;
const lookEveryMs = 20;

/**
 * Drains clients before the gateway ends: closing a connection fails a request on its way, so the next response has
 * `Connection: close`. Idle connections are closed afterwards. New ones are accepted while clients connect.
 * @returns a function that does so; resolves when all connections are idle, at the latest after three seconds
 */
export function prepareGracefulClose(fastify: FastifyInstance): () => Promise<void> {
  let isLeaving = false;
  let askedAt = 0;
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (isLeaving) {
      askedAt = performance.now();
      reply.header('connection', 'close');
    }
    done(null, payload);
  });
  return async () => {
    isLeaving = true;
    const beganAt = performance.now();
    askedAt = beganAt;
    const isOver = () => performance.now() - askedAt >= quietMs || performance.now() - beganAt >= mostMs;
    while (!isOver() && (await countConnections(fastify)) > 0) await delay(lookEveryMs);
  };
}

const countConnections = ({ server }: FastifyInstance): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count ?? 0)));
