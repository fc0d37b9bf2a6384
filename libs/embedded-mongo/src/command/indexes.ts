import { Int32, Long } from 'bson';
import { equalValues } from '../bson/compare';
import { encodeDocument } from '../bson/encode';
import { type Document, isDocument, type Value } from '../bson/value';
import { ListSource } from '../cursor/list-source';
import { MongoError } from '../errors';
import type { Index } from '../index/index-spec';
import { validateSpec } from '../index/validate-spec';
import type { Collection } from '../storage/collection';
import { buildIndex } from '../write/build-index';
import { validationOptions } from '../write/validation';
import { documentList, namespaceOf, optionalDocument, optionalInteger } from './arguments';
import type { Command } from './command';
import { DEFAULT_BATCH, firstBatch } from './find';

/** @see https://www.mongodb.com/docs/manual/reference/command/createIndexes/ */
export const createIndexes: Command = {
  name: 'createIndexes',
  arguments: ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions'],
  async run(call) {
    const { engine, body } = call;
    const namespace = namespaceOf(call);
    const given = documentList(body.indexes, 'createIndexes.indexes');
    if (given.length === 0) throw new MongoError('BadValue', 'Must specify at least one index to create');
    const existing = engine.catalog.find(namespace);
    const specs = given.map((spec) => validateSpec(spec, existing?.options.collation as Document | undefined));
    const collection = await engine.store.writer.run(() => engine.catalog.getOrCreate(namespace));
    const before = readyIndexes(collection).length;
    for (const spec of specs) await buildIndex(engine, collection, spec);
    const after = readyIndexes(collection).length;
    return {
      numIndexesBefore: new Int32(before),
      numIndexesAfter: new Int32(after),
      createdCollectionAutomatically: existing === undefined,
      ...(after === before ? { note: 'all indexes already exist' } : {}),
      ok: 1,
    };
  },
};

const readyIndexes = (collection: Collection): Index[] => collection.indexes.filter(({ record }) => record.ready);

/** @see https://www.mongodb.com/docs/manual/reference/command/listIndexes/ */
export const listIndexes: Command = {
  name: 'listIndexes',
  arguments: ['cursor'],
  run(call) {
    const namespace = namespaceOf(call);
    const collection = call.engine.catalog.get(namespace);
    const specs = readyIndexes(collection).map(({ record }) => encodeDocument(record.spec));
    const batchSize =
      optionalInteger(optionalDocument(call.body.cursor, 'cursor')?.batchSize, 'batchSize') ?? DEFAULT_BATCH;
    return firstBatch(call, namespace, new ListSource(specs), batchSize);
  },
};

/** @see https://www.mongodb.com/docs/manual/reference/command/dropIndexes/ */
export const dropIndexes: Command = {
  name: 'dropIndexes',
  aliases: ['deleteIndexes'],
  arguments: ['index'],
  async run(call) {
    const { engine, body } = call;
    const namespace = namespaceOf(call);
    const before = await engine.store.writer.run(() => {
      const collection = engine.catalog.get(namespace);
      const count = collection.indexes.length;
      for (const index of wanted(collection, body.index)) engine.catalog.dropIndex(collection, index);
      return count;
    });
    engine.garbageRemover.wake();
    const message = body.index === '*' ? { msg: 'non-_id indexes dropped for collection' } : {};
    return { nIndexesWas: new Int32(before), ...message, ok: 1 };
  },
};

function wanted(collection: Collection, which: Value): Index[] {
  if (which === '*') return collection.indexes.filter((index) => !index.isPrimary);
  if (Array.isArray(which)) return which.map((name) => droppable(collection.index(String(name))));
  if (typeof which === 'string') return [droppable(collection.index(which))];
  if (!isDocument(which))
    throw new MongoError(
      'TypeMismatch',
      "BSON field 'dropIndexes.index' is the wrong type, expected types '[string, object]'",
    );
  const found = collection.indexes.filter(({ record }) => equalValues(record.spec.key, which));
  if (found.length === 0) throw new MongoError('IndexNotFound', `can't find index with key: ${JSON.stringify(which)}`);
  return found.map(droppable);
}

function droppable(index: Index): Index {
  if (index.isPrimary) throw new MongoError('InvalidOptions', 'cannot drop _id index');
  return index;
}

/**
 * Changes an index's expiry or hides it, or sets the validator of a collection. @see
 * https://www.mongodb.com/docs/manual/reference/command/collMod/
 */
export const collMod: Command = {
  name: 'collMod',
  arguments: ['index', 'validator', 'validationLevel', 'validationAction'],
  async run(call) {
    const { engine, body } = call;
    const namespace = namespaceOf(call);
    const validation = validationOptions(body);
    const change = optionalDocument(body.index, 'index');
    return engine.store.writer.run(() => {
      const collection = engine.catalog.get(namespace);
      const changes = change ? modify(collection, change) : {};
      collection.options = { ...collection.options, ...validation };
      engine.catalog.recordChanged(collection);
      return { ...changes, ok: 1 };
    });
  },
};

function modify(collection: Collection, change: Document): Document {
  const { name, keyPattern, expireAfterSeconds, hidden } = change;
  const found = collection.indexes.find((index) =>
    name !== undefined ? index.name === name : equalValues(index.record.spec.key, keyPattern),
  );
  if (!found)
    throw new MongoError(
      'IndexNotFound',
      `cannot find index ${JSON.stringify(name ?? keyPattern)} for ns ${collection.namespace}`,
    );
  const reply: Document = {};
  const { spec } = found.record;
  if (expireAfterSeconds !== undefined) {
    const seconds = Number(expireAfterSeconds);
    if (spec.expireAfterSeconds !== undefined)
      reply.expireAfterSeconds_old = Long.fromNumber(Number(spec.expireAfterSeconds));
    reply.expireAfterSeconds_new = Long.fromNumber(seconds);
    validateSpec({ ...spec, v: 2, expireAfterSeconds: seconds });
    spec.expireAfterSeconds = seconds;
  }
  if (hidden !== undefined) {
    if (found.isPrimary) throw new MongoError('BadValue', 'cannot hide _id index');
    reply.hidden_old = spec.hidden === true;
    reply.hidden_new = hidden === true;
    spec.hidden = hidden === true;
    found.isHidden = hidden === true;
  }
  return reply;
}
