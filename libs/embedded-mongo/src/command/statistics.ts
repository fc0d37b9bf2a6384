import { Int32, Long } from 'bson';
import type { Document } from '../bson/value';
import { namespaceOf } from './arguments';
import type { Command } from './command';

const long = (value: number): Long => Long.fromNumber(Math.round(value));

/** @see https://www.mongodb.com/docs/manual/reference/command/dbStats/ */
export const dbStats: Command = {
  name: 'dbStats',
  aliases: ['dbstats'],
  arguments: ['scale', 'freeStorage'],
  run({ engine, database, body }) {
    const scale = Number(body.scale ?? 1);
    const collections = engine.catalog.inDatabase(database);
    const objects = collections.reduce((sum, { count }) => sum + count, 0);
    const dataSize = collections.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return {
      db: database,
      collections: new Int32(collections.length),
      views: new Int32(0),
      objects: long(objects),
      avgObjSize: objects === 0 ? 0 : dataSize / objects,
      dataSize: long(dataSize / scale),
      storageSize: long(engine.store.sizeBytes / scale),
      indexes: new Int32(collections.reduce((sum, { indexes }) => sum + indexes.length, 0)),
      scaleFactor: long(scale),
      ok: 1,
    };
  },
};

/** @see https://www.mongodb.com/docs/manual/reference/command/collStats/ */
export const collStats: Command = {
  name: 'collStats',
  aliases: ['collstats'],
  arguments: ['scale'],
  run(call) {
    const namespace = namespaceOf(call);
    const scale = Number(call.body.scale ?? 1);
    const collection = call.engine.catalog.find(namespace);
    const { count = 0, sizeBytes = 0, indexes = [] } = collection ?? {};
    const reply: Document = {
      ns: namespace,
      size: long(sizeBytes / scale),
      count: long(count),
      storageSize: long(sizeBytes / scale),
      nindexes: new Int32(indexes.length),
      indexDetails: Object.fromEntries(indexes.map((index) => [index.name, { isMultikey: index.isMultikey }])),
      scaleFactor: long(scale),
      ok: 1,
    };
    if (count > 0) reply.avgObjSize = sizeBytes / count;
    return reply;
  },
};
