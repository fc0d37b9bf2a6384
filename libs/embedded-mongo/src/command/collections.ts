import { Int32, Long } from 'bson';
import { parseCollation } from '../bson/collation';
import { encodeDocument } from '../bson/encode';
import type { Document } from '../bson/value';
import { ListSource } from '../cursor/list-source';
import { MongoError } from '../errors';
import { compileFilter } from '../query/compile-filter';
import { parseFilter } from '../query/parse-filter';
import type { Collection } from '../storage/collection';
import { validationOptions } from '../write/validation';
import { flag, namespaceOf, optionalDocument, optionalInteger, refuseIfSet } from './arguments';
import type { Command } from './command';
import { DEFAULT_BATCH, firstBatch } from './find';

/** @see https://www.mongodb.com/docs/manual/reference/command/create/ */
export const create: Command = {
  name: 'create',
  arguments: [
    'capped',
    'size',
    'max',
    'autoIndexId',
    'idIndex',
    'timeseries',
    'expireAfterSeconds',
    'clusteredIndex',
    'changeStreamPreAndPostImages',
    'storageEngine',
    'validator',
    'validationLevel',
    'validationAction',
    'indexOptionDefaults',
    'viewOn',
    'pipeline',
    'collation',
    'encryptedFields',
  ],
  async run(call) {
    const namespace = namespaceOf(call);
    refuseIfSet(
      call.body,
      'capped',
      'timeseries',
      'expireAfterSeconds',
      'clusteredIndex',
      'changeStreamPreAndPostImages',
      'viewOn',
      'pipeline',
      'encryptedFields',
    );
    const collation = parseCollation(optionalDocument(call.body.collation, 'collation'))?.spec;
    const options = { ...(collation ? { collation: collation as Document } : {}), ...validationOptions(call.body) };
    await call.engine.store.writer.run(() => {
      if (call.engine.catalog.find(namespace)) {
        throw new MongoError('NamespaceExists', `Collection ${namespace} already exists.`);
      }
      call.engine.catalog.create(namespace, options);
    });
    return { ok: 1 };
  },
};

/** Succeeds if there is nothing to drop, like MongoDB since 7.0. */
export const drop: Command = {
  name: 'drop',
  arguments: [],
  async run(call) {
    const namespace = namespaceOf(call);
    const { engine } = call;
    const dropped = await engine.store.writer.run(() => {
      const collection = engine.catalog.find(namespace);
      if (collection) engine.catalog.drop(collection);
      return collection;
    });
    engine.garbageRemover.wake();
    return dropped ? { nIndexesWas: new Int32(dropped.indexes.length), ns: namespace, ok: 1 } : { ok: 1 };
  },
};

export const dropDatabase: Command = {
  name: 'dropDatabase',
  arguments: [],
  async run({ engine, database }) {
    await engine.store.writer.run(() => {
      for (const collection of engine.catalog.inDatabase(database)) engine.catalog.drop(collection);
    });
    engine.garbageRemover.wake();
    return { dropped: database, ok: 1 };
  },
};

/** @see https://www.mongodb.com/docs/manual/reference/command/renameCollection/ */
export const renameCollection: Command = {
  name: 'renameCollection',
  arguments: ['to', 'dropTarget'],
  async run({ engine, body }) {
    const from = String(body.renameCollection);
    const to = String(body.to);
    const dropTarget = flag(body.dropTarget, 'dropTarget');
    await engine.store.writer.run(() => {
      const collection = engine.catalog.find(from);
      if (!collection) throw new MongoError('NamespaceNotFound', `Source collection ${from} does not exist`);
      if (from === to) throw new MongoError('IllegalOperation', "Can't rename a collection to itself");
      const target = engine.catalog.find(to);
      if (target && !dropTarget) throw new MongoError('NamespaceExists', 'target namespace exists');
      if (target) engine.catalog.drop(target);
      engine.catalog.rename(collection, to);
    });
    engine.garbageRemover.wake();
    return { ok: 1 };
  },
};

/** @see https://www.mongodb.com/docs/manual/reference/command/listCollections/ */
export const listCollections: Command = {
  name: 'listCollections',
  arguments: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  run(call) {
    const { engine, database, body } = call;
    const nameOnly = flag(body.nameOnly, 'nameOnly');
    const matcher = compileFilter(parseFilter(optionalDocument(body.filter, 'filter') ?? {}));
    const listed = engine.catalog.inDatabase(database).map((collection) => describe(collection, database));
    const shown = listed
      .filter((entry) => matcher.matches(entry))
      .map(({ name, type, ...rest }) => (nameOnly ? { name, type } : { name, type, ...rest }));
    const source = new ListSource(shown.map((entry) => encodeDocument(entry)));
    const batchSize = optionalInteger(optionalDocument(body.cursor, 'cursor')?.batchSize, 'batchSize') ?? DEFAULT_BATCH;
    return firstBatch(call, `${database}.$cmd.listCollections`, source, batchSize);
  },
};

function describe({ namespace, options, primaryIndex }: Collection, database: string): Document {
  const { uuid, ...shown } = options;
  return {
    name: namespace.slice(database.length + 1),
    type: 'collection',
    options: shown,
    info: { readOnly: false, uuid },
    idIndex: primaryIndex.record.spec,
  };
}

/** @see https://www.mongodb.com/docs/manual/reference/command/listDatabases/ */
export const listDatabases: Command = {
  name: 'listDatabases',
  arguments: ['filter', 'nameOnly', 'authorizedDatabases'],
  run({ engine, body }) {
    const sizes = new Map<string, number>();
    for (const { namespace, sizeBytes } of engine.catalog.all()) {
      const name = namespace.slice(0, namespace.indexOf('.'));
      sizes.set(name, (sizes.get(name) ?? 0) + sizeBytes);
    }
    const matcher = compileFilter(parseFilter(optionalDocument(body.filter, 'filter') ?? {}));
    const all = [...sizes].sort().map(([name, bytes]) => ({ name, sizeOnDisk: Long.fromNumber(bytes), empty: false }));
    const databases = all.filter((entry) => matcher.matches(entry));
    if (flag(body.nameOnly, 'nameOnly')) return { databases: databases.map(({ name }) => ({ name })), ok: 1 };
    const total = databases.reduce((sum, { sizeOnDisk }) => sum + sizeOnDisk.toNumber(), 0);
    return {
      databases,
      totalSize: Long.fromNumber(total),
      totalSizeMb: Long.fromNumber(Math.floor(total / 1024 / 1024)),
      ok: 1,
    };
  },
};
