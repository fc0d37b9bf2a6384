import { randomUUID } from 'node:crypto';
import type { Batches, MergeSpecification, PipelineWriter } from '../aggregation/stages/stage';
import { decodeDocument } from '../bson/decode';
import { copyDocument, documentOf, fieldNames, setField } from '../bson/document';
import { encodeDocument } from '../bson/encode';
import type { Document, Value } from '../bson/value';
import type { Engine } from '../engine/engine';
import { MongoError } from '../errors';
import { compileExpression, rootScope } from '../expression/expression';
import { duplicateKey } from '../index/duplicate-key';
import type { Index } from '../index/index-spec';
import { Budget } from '../plan/budget';
import { Execution, type Found, PAUSE } from '../plan/execution';
import { planQuery } from '../plan/plan-query';
import type { Collection } from '../storage/collection';
import { compileUpdate } from '../update/compile-update';
import { buildIndex } from './build-index';
import { type Prepared, prepareDocument, prepareUpdated } from './prepare-document';
import { requireValid } from './validation';

interface Target {
  db?: string;
  coll: string;
}

/** The writes of `$out` and `$merge` in one database. */
export class StoredPipelineWriter implements PipelineWriter {
  constructor(
    private readonly engine: Engine,
    private readonly database: string,
    private readonly bypassValidation: boolean,
  ) {}

  /** The target is replaced atomically at the end: a failed pipeline does not change it. */
  async out(target: Target, documents: Batches): Promise<void> {
    const { engine } = this;
    const { writer } = engine.store;
    const namespace = this.namespaceOf(target);
    const replaced = engine.catalog.find(namespace);
    const draft = await writer.run(() =>
      engine.catalog.create(`${namespace}.out-${randomUUID()}`, replaced?.options ?? {}),
    );
    try {
      for (const index of replaced?.indexes.slice(1) ?? []) await buildIndex(engine, draft, index.record.spec);
      for await (const batch of documents) await writer.run(() => this.insertAll(draft, batch));
      await writer.run(() => {
        const current = engine.catalog.find(namespace);
        if (current) engine.catalog.drop(current);
        engine.catalog.rename(draft, namespace);
      });
    } catch (error) {
      await writer.run(() => engine.catalog.drop(draft));
      throw error;
    } finally {
      engine.garbageRemover.wake();
    }
  }

  /** Each document is merged separately: a failed pipeline leaves earlier ones merged, as in MongoDB. */
  async merge(specification: MergeSpecification, documents: Batches): Promise<void> {
    const { engine } = this;
    const namespace = this.namespaceOf(specification.into);
    const collection = await engine.store.writer.run(() => engine.catalog.getOrCreate(namespace));
    const index = uniqueIndexOn(collection, specification.on);
    for await (const batch of documents) {
      await engine.store.writer.run(() => {
        collection.requirePresent();
        for (const document of batch) this.mergeOne(collection, index, specification, document);
      });
    }
  }

  private insertAll(collection: Collection, documents: Document[]): void {
    for (const each of documents) this.insert(collection, prepareDocument(encodeDocument(each)));
  }

  private insert(collection: Collection, { stored, document }: Prepared): void {
    this.validate(collection, document);
    collection.insert(stored, document);
  }

  private validate(collection: Collection, document: Document, before?: Document): void {
    if (!this.bypassValidation) requireValid(this.engine, collection, document, before);
  }

  private mergeOne(collection: Collection, index: Index, specification: MergeSpecification, given: Document): void {
    const incoming = prepareDocument(encodeDocument(given));
    const filter = documentOf(specification.on.map((path) => [path, { $eq: valueAt(incoming.document, path) }]));
    const found = findOne(this.engine, collection, filter);
    if (found && specification.whenMatched === 'fail') throw mergeConflict(collection, index, incoming.document);
    if (found) this.mergeInto(collection, specification, found, incoming.document);
    else if (specification.whenNotMatched === 'insert') this.insert(collection, incoming);
    else if (specification.whenNotMatched === 'fail') {
      throw new MongoError(
        13113,
        '$merge could not find a matching document in the target collection for at least one document in the source collection',
      );
    }
  }

  private mergeInto(
    collection: Collection,
    { whenMatched, let: variables }: MergeSpecification,
    { recordId, bytes }: Found,
    incoming: Document,
  ): void {
    if (whenMatched === 'keepExisting' || whenMatched === 'fail') return;
    const before = decodeDocument(bytes);
    const { stored, document } = prepareUpdated(merged(whenMatched, before, incoming, variables));
    this.validate(collection, document, before);
    collection.replace(recordId, before, stored, document, bytes.length);
  }

  private namespaceOf({ db = this.database, coll }: Target): string {
    return `${db}.${coll}`;
  }
}

/** @throws 51183 without a unique index on the join fields */
function uniqueIndexOn(collection: Collection, on: string[]): Index {
  const wanted = [...on].sort().join();
  const found = collection.indexes.find(
    (index) =>
      index.record.ready && index.isUnique && !index.partialFilter && [...index.fields].sort().join() === wanted,
  );
  if (!found) throw new MongoError(51183, 'Cannot find index to verify that join fields will be unique');
  return found;
}

/** The new document exists already: drivers read its key from the error, as after an insert. */
function mergeConflict({ namespace }: Collection, index: Index, document: Document): MongoError {
  const { message, details } = duplicateKey(namespace, index, document);
  return new MongoError(
    'DuplicateKey',
    `$merge failed due to a DuplicateKey error :: caused by :: ${message}`,
    details,
  );
}

/** @throws 51185 for an invalid join field */
function valueAt(document: Document, path: string): Value {
  const value = path.split('.').reduce<Value>((inner, name) => (inner as Document | undefined)?.[name], document);
  if (value === undefined || value === null || Array.isArray(value)) {
    throw new MongoError(51185, "$merge write error: 'on' field cannot be missing, null, undefined or an array");
  }
  return value;
}

function findOne(engine: Engine, collection: Collection, filter: Document): Found | undefined {
  const { plan } = planQuery(engine, collection, { filter, limit: 1 });
  const execution = new Execution(engine.store, plan, new Budget());
  // By a unique index, so it never needs a pause.
  const found = execution.next();
  execution.pause();
  return found === PAUSE ? undefined : found;
}

function merged(
  whenMatched: 'replace' | 'merge' | readonly Value[],
  before: Document,
  incoming: Document,
  variables: Document | undefined,
): Document {
  if (whenMatched === 'merge') {
    const result = copyDocument(before);
    for (const name of fieldNames(incoming)) if (name !== '_id') setField(result, name, incoming[name]);
    return result;
  }
  if (whenMatched === 'replace') return compileUpdate(incoming).apply(before).document;
  return compileUpdate(whenMatched, { variables: mergeVariables(variables, incoming) }).apply(before).document;
}

function mergeVariables(variables: Document | undefined, incoming: Document): Record<string, Value> {
  const scope = rootScope();
  const declared = Object.entries(variables ?? {}).map(([name, expression]) => [
    name,
    compileExpression(expression)(incoming, scope),
  ]);
  return { new: incoming, ...Object.fromEntries(declared) };
}
