import { Long } from 'bson';
import type { Value } from '../bson/value';
import { MongoError } from '../errors';
import { cursorReply } from '../protocol/reply';
import { optionalInteger } from './arguments';
import type { Command } from './command';

/** @see https://www.mongodb.com/docs/manual/reference/command/getMore/ */
export const getMore: Command = {
  name: 'getMore',
  arguments: ['collection', 'batchSize'],
  async run({ server, body, database, budget }) {
    const id = cursorId(body.getMore);
    const batchSize = optionalInteger(body.batchSize, 'batchSize') || Number.POSITIVE_INFINITY;
    const cursor = server.cursors.use(id);
    try {
      if (cursor.namespace !== `${database}.${body.collection}`) {
        throw new MongoError(
          'Unauthorized',
          `Requested getMore on namespace '${database}.${body.collection}', but cursor belongs to a different namespace ${cursor.namespace}`,
        );
      }
      const { documents, isDone } = await cursor.source.nextBatch(batchSize, budget);
      if (isDone) server.cursors.kill(id);
      return cursorReply('nextBatch', documents, isDone ? 0n : id, cursor.namespace);
    } catch (error) {
      server.cursors.kill(id);
      throw error;
    } finally {
      server.cursors.release(cursor);
    }
  },
};

/** @see https://www.mongodb.com/docs/manual/reference/command/killCursors/ */
export const killCursors: Command = {
  name: 'killCursors',
  arguments: ['cursors'],
  run({ server, body }) {
    const ids = Array.isArray(body.cursors) ? body.cursors : [];
    const killed = ids.filter((id) => server.cursors.kill(cursorId(id)));
    const notFound = ids.filter((id) => !killed.includes(id));
    return { cursorsKilled: killed, cursorsNotFound: notFound, cursorsAlive: [], cursorsUnknown: [], ok: 1 };
  },
};

function cursorId(value: Value): bigint {
  if (value instanceof Long) return value.toBigInt();
  throw new MongoError('TypeMismatch', "BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
}
