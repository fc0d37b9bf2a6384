import { decodeDocument } from '../bson/decode';
import type { Document } from '../bson/value';
import { MongoError } from '../errors';
import { duplicateKey } from '../index/duplicate-key';
import { type Entries, entriesOf } from '../index/entry-fields';
import type { Index } from '../index/index-spec';
import { documentKey, PREFIX_BYTES, prefixKey, RECORD_ID_BYTES, readRecordId, writeRecordId } from './keys';
import { MatchCounts } from './match-counts';
import type { Store } from './store';

/** No collection of the catalog has it. */
export const ABSENT_ID = 0;

const NOTHING = Buffer.alloc(0);
// lmdb copies keys before a call returns, so one buffer serves them all.
const scratchKey = Buffer.allocUnsafe(PREFIX_BYTES + RECORD_ID_BYTES);

/** A checked change of one index that is not yet written. */
interface IndexChange {
  index: Index;
  add: Buffer[];
  remove: Buffer[];
  entries: Entries | undefined;
}

/** Called within the transaction, for data that must be written with it. */
export interface CollectionObserver {
  countChanged(collection: Collection): void;
  recordChanged(collection: Collection): void;
}

/**
 * The documents of one collection and the entries of its indexes. Changes happen inside a transaction of the store's
 * writer: each is checked completely before its first byte is written.
 */
export class Collection {
  /** The number of documents, kept in memory and written with each transaction. */
  count = 0;
  /** Sum of their sizes. */
  sizeBytes = 0;
  nextRecordId = 1;
  /** Set when the collection is dropped while a cursor or a job still uses it. */
  isDropped = false;
  readonly matchCounts = new MatchCounts();

  constructor(
    private readonly store: Store,
    readonly id: number,
    public namespace: string,
    public options: Document,
    public indexes: Index[],
    private readonly observer: CollectionObserver,
  ) {}

  /** Whether it replaces a namespace that does not exist, see `Engine.emptyCollection`. */
  get isAbsent(): boolean {
    return this.id === ABSENT_ID;
  }

  /** @throws 175 (QueryPlanKilled) if the collection was dropped meanwhile */
  requirePresent(): void {
    if (this.isDropped) throw new MongoError(175, `collection dropped during the operation: ${this.namespace}`);
  }

  /** The BSON of a document. The caller owns the bytes. */
  read(recordId: number): Buffer | undefined {
    return this.store.documents.getBinary(documentKey(this.id, recordId, scratchKey));
  }

  /** Like `read`, but the bytes are only valid until the next read of the store: for testing, not for storing. */
  peek(recordId: number): Buffer | undefined {
    return this.store.documents.getBinaryFast(documentKey(this.id, recordId, scratchKey));
  }

  /** @throws DuplicateKey (11000), CannotIndexParallelArrays (171); then nothing is written */
  insert(bytes: Uint8Array, document: Document): number {
    const recordId = this.nextRecordId;
    const changes = this.indexes.map((index) => this.planChange(index, recordId, undefined, document));
    this.nextRecordId++;
    this.store.writer.apply(() => {
      this.store.documents.put(documentKey(this.id, recordId, scratchKey), bytes);
      for (const change of changes) this.apply(change, recordId);
    });
    this.matchCounts.change(undefined, document);
    this.changed(1, bytes.length);
    return recordId;
  }

  /**
   * @param after its new state; values that it shares with `before` count as unchanged
   * @throws DuplicateKey (11000), CannotIndexParallelArrays (171); then nothing is written
   */
  replace(recordId: number, before: Document, bytes: Uint8Array, after: Document, sizeBefore: number): void {
    const changes = this.indexes
      .filter((index) => !isUntouched(index, before, after))
      .map((index) => this.planChange(index, recordId, before, after));
    this.store.writer.apply(() => {
      this.store.documents.put(documentKey(this.id, recordId, scratchKey), bytes);
      for (const change of changes) this.apply(change, recordId);
    });
    this.matchCounts.change(before, after);
    this.changed(0, bytes.length - sizeBefore);
  }

  remove(recordId: number, document: Document, sizeBefore: number): void {
    const changes = this.indexes.map((index) => this.planChange(index, recordId, document, undefined));
    this.store.writer.apply(() => {
      this.store.documents.remove(documentKey(this.id, recordId, scratchKey));
      for (const change of changes) this.apply(change, recordId);
    });
    this.matchCounts.change(document, undefined);
    this.changed(-1, -sizeBefore);
  }

  /**
   * Adds the entries of one document to an index that is being built.
   * @throws DuplicateKey (11000)
   */
  addEntries(index: Index, recordId: number, bytes: Buffer): void {
    this.apply(this.planChange(index, recordId, undefined, decodeDocument(bytes)), recordId);
  }

  private planChange(
    index: Index,
    recordId: number,
    before: Document | undefined,
    after: Document | undefined,
  ): IndexChange {
    const old = before ? entriesOf(index, before).keys : [];
    const entries = after && entriesOf(index, after);
    const { add, remove } = difference(old, entries?.keys ?? []);
    if (index.isUnique) for (const key of add) this.requireFree(index, key, recordId, after!);
    return { index, add, remove, entries };
  }

  private requireFree(index: Index, fields: Buffer, recordId: number, document: Document): void {
    const holder = this.store.entries.getBinaryFast(uniqueKey(index.id, fields));
    if (holder !== undefined && readRecordId(holder, 0) !== recordId)
      throw duplicateKey(this.namespace, index, document);
  }

  private apply({ index, add, remove, entries }: IndexChange, recordId: number): void {
    for (const fields of remove) {
      const key = entryKey(index, fields, recordId);
      this.store.entries.remove(key);
      index.counts.change(key, -1);
    }
    for (const fields of add) {
      const key = entryKey(index, fields, recordId);
      this.store.entries.put(key, index.isUnique ? recordIdBytes(recordId) : NOTHING);
      index.counts.change(key, 1);
    }
    if (entries && learn(index, entries)) this.observer.recordChanged(this);
  }

  private changed(documents: number, bytes: number): void {
    this.count += documents;
    this.sizeBytes += bytes;
    this.observer.countChanged(this);
  }

  index(name: string): Index {
    const index = this.indexes.find((candidate) => candidate.name === name);
    if (!index) throw new MongoError('IndexNotFound', `index not found with name [${name}]`);
    return index;
  }

  get primaryIndex(): Index {
    return this.indexes[0]!;
  }
}

/**
 * Stores the properties of an entry for the whole index: it contains arrays, or truncated keys. True if that is new.
 */
function learn({ record }: Index, { multikey, truncated }: Entries): boolean {
  let isNew = truncated && !record.truncated;
  record.truncated ||= truncated;
  multikey.forEach((is, field) => {
    if (!is || record.multikey[field]) return;
    record.multikey[field] = true;
    isNew = true;
  });
  return isNew;
}

/** Most updates change fields that are in few indexes. */
function isUntouched(index: Index, before: Document, after: Document): boolean {
  return index.partialFilter === undefined && index.paths.every(([field]) => before[field!] === after[field!]);
}

function difference(before: Buffer[], after: Buffer[]): { add: Buffer[]; remove: Buffer[] } {
  if (before.length === 0 || after.length === 0) return { add: after, remove: before };
  if (before.length === 1 && after.length === 1) {
    return before[0]!.equals(after[0]!) ? { add: [], remove: [] } : { add: after, remove: before };
  }
  const old = new Set(before.map((key) => key.toString('latin1')));
  const now = new Set(after.map((key) => key.toString('latin1')));
  return {
    add: after.filter((key) => !old.has(key.toString('latin1'))),
    remove: before.filter((key) => !now.has(key.toString('latin1'))),
  };
}

function uniqueKey(indexId: number, fields: Buffer): Buffer {
  return Buffer.concat([prefixKey(indexId), fields]);
}

function entryKey(index: Index, fields: Buffer, recordId: number): Buffer {
  if (index.isUnique) return uniqueKey(index.id, fields);
  const key = Buffer.allocUnsafe(PREFIX_BYTES + fields.length + RECORD_ID_BYTES);
  key.writeUInt32BE(index.id, 0);
  fields.copy(key, PREFIX_BYTES);
  writeRecordId(key, recordId, PREFIX_BYTES + fields.length);
  return key;
}

function recordIdBytes(recordId: number): Buffer {
  const bytes = Buffer.allocUnsafe(RECORD_ID_BYTES);
  writeRecordId(bytes, recordId, 0);
  return bytes;
}
