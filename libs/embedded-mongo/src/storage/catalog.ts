import { randomBytes } from 'node:crypto';
import { Binary } from 'bson';
import { decodeDocument } from '../bson/decode';
import { encodeDocument } from '../bson/encode';
import type { Document } from '../bson/value';
import { MongoError } from '../errors';
import { Index, type IndexRecord } from '../index/index-spec';
import { Collection, type CollectionObserver } from './collection';
import { PREFIX_BYTES, prefixKey, readRecordId } from './keys';
import type { Store } from './store';

const COLLECTION = 'collection/';
const COUNTS = 'counts/';
const GARBAGE = 'garbage/';
const NEXT_ID = Buffer.from('next-id');

/** A collection in the catalog. */
interface CollectionRecord {
  namespace: string;
  options: Document;
  indexes: IndexRecord[];
}

/** The rest of something dropped, which is removed step by step. */
export interface Garbage {
  kind: 'documents' | 'entries';
  id: number;
}

/**
 * All collections and indexes by name. The catalog is completely in memory; each change is written in the current
 * transaction, so the methods that change it must be called within one.
 */
export class Catalog implements CollectionObserver {
  private readonly collections = new Map<string, Collection>();
  private readonly changedCounts = new Set<Collection>();
  private readonly changedRecords = new Set<Collection>();
  private nextId = 1;

  constructor(private readonly store: Store) {
    this.nextId = Number(store.catalog.get(NEXT_ID)?.toString() ?? 1);
    for (const { key, value } of store.catalog.getRange(prefixRange(COLLECTION))) {
      this.load(Number(text(key).slice(COLLECTION.length)), decodeDocument(value) as unknown as CollectionRecord);
    }
    store.writer.onCommit(() => this.writeChanges());
  }

  private load(id: number, { namespace, options, indexes }: CollectionRecord): void {
    const records = indexes.map(plainRecord);
    const ready = records.filter((record, index) => record.ready && !isTwin(record, records.slice(0, index)));
    const collection = new Collection(
      this.store,
      id,
      namespace,
      options,
      ready.map((record) => new Index(record)),
      this,
    );
    const counts = this.store.catalog.get(Buffer.from(COUNTS + id));
    if (counts) {
      collection.count = Number(counts.readBigUInt64BE(0));
      collection.sizeBytes = Number(counts.readBigUInt64BE(8));
    }
    collection.nextRecordId = this.lastRecordId(id) + 1;
    this.collections.set(namespace, collection);
    // An index whose build was interrupted was never acknowledged.
    for (const record of records.filter((each) => !ready.includes(each))) this.discard(collection, record.id);
  }

  private discard(collection: Collection, indexId: number): void {
    const discarded = this.store.writer.run(() => {
      this.recordChanged(collection);
      this.addGarbage({ kind: 'entries', id: indexId });
    }, 'removal');
    // If the disk is full, the next start tries again.
    discarded.catch(() => undefined);
  }

  private lastRecordId(collectionId: number): number {
    const range = { start: prefixKey(collectionId + 1), end: prefixKey(collectionId), reverse: true, limit: 1 };
    for (const key of this.store.documents.getKeys({ ...range, exclusiveStart: true })) {
      return readRecordId(key, PREFIX_BYTES);
    }
    return 0;
  }

  find(namespace: string): Collection | undefined {
    return this.collections.get(namespace);
  }

  /** @throws NamespaceNotFound (26) */
  get(namespace: string): Collection {
    const collection = this.collections.get(namespace);
    if (!collection) throw new MongoError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    return collection;
  }

  *all(): IterableIterator<Collection> {
    yield* this.collections.values();
  }

  /** The collections of one database, by name. */
  inDatabase(database: string): Collection[] {
    const found = [...this.collections.values()].filter(({ namespace }) => namespace.startsWith(`${database}.`));
    return found.sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
  }

  /** @throws InvalidNamespace (73) */
  getOrCreate(namespace: string): Collection {
    return this.collections.get(namespace) ?? this.create(namespace, {});
  }

  /** @throws InvalidNamespace (73) */
  create(namespace: string, options: Document): Collection {
    requireValidNamespace(namespace);
    const { collation } = options;
    const idSpec = { v: 2, key: { _id: 1 }, name: '_id_', ...(collation ? { collation } : {}) };
    const idIndex = new Index(this.newIndexRecord(idSpec, true));
    const id = this.takeId();
    const withId = { ...options, uuid: new Binary(randomBytes(16), Binary.SUBTYPE_UUID) };
    const collection = new Collection(this.store, id, namespace, withId as unknown as Document, [idIndex], this);
    this.collections.set(namespace, collection);
    this.changedCounts.add(collection);
    this.changedRecords.add(collection);
    return collection;
  }

  newIndexRecord(spec: Document, ready: boolean): IndexRecord {
    const multikey = Object.keys(spec.key as Document).map(() => false);
    return { id: this.takeId(), spec, multikey, truncated: false, ready };
  }

  drop(collection: Collection): void {
    this.collections.delete(collection.namespace);
    this.changedCounts.delete(collection);
    this.changedRecords.delete(collection);
    collection.isDropped = true;
    this.store.catalog.remove(Buffer.from(COLLECTION + collection.id));
    this.store.catalog.remove(Buffer.from(COUNTS + collection.id));
    this.addGarbage({ kind: 'documents', id: collection.id });
    for (const index of collection.indexes) this.addGarbage({ kind: 'entries', id: index.id });
  }

  dropIndex(collection: Collection, index: Index): void {
    collection.indexes = collection.indexes.filter((other) => other !== index);
    index.isDropped = true;
    this.recordChanged(collection);
    this.addGarbage({ kind: 'entries', id: index.id });
  }

  /** Renames a collection to a free name. */
  rename(collection: Collection, namespace: string): void {
    requireValidNamespace(namespace);
    this.collections.delete(collection.namespace);
    collection.namespace = namespace;
    this.collections.set(namespace, collection);
    this.recordChanged(collection);
  }

  // A dropped collection must not return because a late holder reports a change.
  recordChanged(collection: Collection): void {
    if (!collection.isDropped) this.changedRecords.add(collection);
  }

  countChanged(collection: Collection): void {
    if (!collection.isDropped) this.changedCounts.add(collection);
  }

  /** Everything dropped whose bytes are still in the store. */
  garbage(): Garbage[] {
    return [...this.store.catalog.getKeys(prefixRange(GARBAGE))].map((key) => {
      const [, kind, id] = text(key).split('/');
      return { kind, id: Number(id) } as Garbage;
    });
  }

  private addGarbage({ kind, id }: Garbage): void {
    this.store.catalog.put(Buffer.from(`${GARBAGE}${kind}/${id}`), Buffer.of(1));
  }

  forgetGarbage({ kind, id }: Garbage): void {
    this.store.catalog.remove(Buffer.from(`${GARBAGE}${kind}/${id}`));
  }

  private takeId(): number {
    const id = this.nextId++;
    this.store.catalog.put(NEXT_ID, Buffer.from(String(this.nextId)));
    return id;
  }

  private writeChanges(): void {
    for (const collection of this.changedRecords) this.writeRecord(collection);
    for (const collection of this.changedCounts) this.writeCounts(collection);
    this.changedRecords.clear();
    this.changedCounts.clear();
  }

  private writeRecord({ id, namespace, options, indexes }: Collection): void {
    const record = { namespace, options, indexes: indexes.map((index) => index.record) };
    this.store.catalog.put(Buffer.from(COLLECTION + id), encodeDocument(record as unknown as Document));
  }

  private writeCounts({ id, count, sizeBytes }: Collection): void {
    const bytes = Buffer.allocUnsafe(16);
    bytes.writeBigUInt64BE(BigInt(count), 0);
    bytes.writeBigUInt64BE(BigInt(sizeBytes), 8);
    this.store.catalog.put(Buffer.from(COUNTS + id), bytes);
  }
}

function prefixRange(prefix: string): { start: Buffer; end: Buffer } {
  return { start: Buffer.from(prefix), end: Buffer.from(`${prefix}\xff`) };
}

const text = (key: Uint8Array): string => Buffer.from(key).toString();

/** Documents are read with their number classes; the record itself is in plain numbers. */
function plainRecord(record: IndexRecord): IndexRecord {
  return { ...record, id: Number(record.id), multikey: [...record.multikey] };
}

/** Whether an index with that name already exists: earlier versions created it twice for concurrent requests. */
const isTwin = ({ spec }: IndexRecord, others: IndexRecord[]): boolean =>
  others.some((other) => other.ready && other.spec.name === spec.name);

/** @see https://www.mongodb.com/docs/manual/reference/limits/#naming-restrictions */
function requireValidNamespace(namespace: string): void {
  const dot = namespace.indexOf('.');
  const database = namespace.slice(0, dot);
  const name = namespace.slice(dot + 1);
  const isValid =
    dot > 0 &&
    !/[/\\. "$\0]/.test(database) &&
    Buffer.byteLength(database) <= 63 &&
    /^[^$\0]+$/.test(name) &&
    !name.startsWith('.') &&
    !name.endsWith('.') &&
    Buffer.byteLength(namespace) <= 255;
  if (!isValid) throw new MongoError('InvalidNamespace', `Invalid namespace specified '${namespace}'`);
}
