import { type KeyRange, successor } from '../bson/index-key';
import { isWithin, splitKey } from '../bson/key-fields';
import { Rank } from '../bson/value';
import type { Index } from '../index/index-spec';
import { PREFIX_BYTES, prefixKey, RECORD_ID_BYTES, readRecordId } from './keys';
import type { Part } from './part';
import type { Store } from './store';

/**
 * Record ids in an order. A scan can be paused between two of them: it then has no open read transaction, which would
 * prevent LMDB from reusing old pages, and continues after the last returned key, on the data at that time.
 */
export interface Scan {
  /** @returns `PASSED_OVER` if the entry does not match, was deleted, or was returned before; undefined at the end */
  next(): number | undefined;
  pause(): void;
  /** Keys read so far. */
  readonly keysExamined: number;
}

/** Returned instead of a record id, so that a scan which skips many entries can be paused. */
export const PASSED_OVER = -1;

/** A condition on one field of index entries, tested before the document. */
export interface KeyFilter {
  field: number;
  /** Of that field's encoding; disjoint and ascending. */
  readonly ranges: KeyRange[];
  /** Whether the value must lie within the ranges, or without. */
  isWithin: boolean;
}

/** How an index is read. */
export interface IndexReading {
  index: Index;
  /** Of encoded fields; disjoint and ascending. */
  readonly ranges: (KeyRange & { leadingBytes: number })[];
  reverse: boolean;
  filters: KeyFilter[];
  /** Whether several of the entries may belong to one document. */
  mayRepeat: boolean;
}

interface Entry {
  key: Uint8Array;
  value: Uint8Array;
}

/** Keys of one lmdb database in one range. */
class RangeReader {
  private iterator: Iterator<Entry | Uint8Array> | undefined;
  private last: Uint8Array | undefined;
  private isDone = false;

  constructor(
    private readonly database: Part,
    private readonly range: KeyRange,
    private readonly reverse: boolean,
    private readonly withValues: boolean,
  ) {}

  next(): Entry | undefined {
    if (this.isDone) return undefined;
    this.iterator ??= this.open();
    const { done, value } = this.iterator.next();
    if (done) {
      this.isDone = true;
      this.iterator = undefined;
      return undefined;
    }
    const entry = this.withValues ? (value as Entry) : { key: value as Uint8Array, value: value as Uint8Array };
    this.last = entry.key;
    return entry;
  }

  private open(): Iterator<Entry | Uint8Array> {
    const { start, end } = this.range;
    // In reverse lmdb also begins at `start`, so the half-open range is inverted.
    const options = this.reverse
      ? { start: this.last ?? end, end: start, exclusiveStart: true, inclusiveEnd: true, reverse: true }
      : { start: this.last ?? start, end, exclusiveStart: this.last !== undefined };
    const entries = this.withValues ? this.database.getRange(options) : this.database.getKeys(options);
    return entries[Symbol.iterator]();
  }

  pause(): void {
    this.iterator?.return?.();
    this.iterator = undefined;
  }
}

/** All documents of a collection in natural order. Reads documents on its way, see `bytes`. */
export class CollectionScan implements Scan {
  keysExamined = 0;
  /** The document of the record that `next` returned last. */
  bytes: Buffer | undefined;
  private readonly reader: RangeReader;

  constructor(store: Store, collectionId: number, reverse: boolean) {
    const range = { start: prefixKey(collectionId), end: prefixKey(collectionId + 1) };
    this.reader = new RangeReader(store.documents, range, reverse, true);
  }

  next(): number | undefined {
    const entry = this.reader.next();
    if (!entry) return undefined;
    this.bytes = entry.value as Buffer;
    return readRecordId(entry.key, PREFIX_BYTES);
  }

  pause(): void {
    this.reader.pause();
  }
}

/** Tries conditions on the fields of index entries. */
class EntryFilter {
  private readonly ends: number[] = [];

  constructor(
    private readonly index: Index,
    private readonly filters: readonly KeyFilter[],
  ) {}

  passes({ key }: Entry): boolean {
    if (this.filters.length === 0) return true;
    const { ends } = this;
    splitKey(key, PREFIX_BYTES, this.index.directions, ends);
    for (const { field, ranges, isWithin: isWanted } of this.filters) {
      if (isWithin(key, ends[field]!, ends[field + 1]!, ranges) !== isWanted) return false;
    }
    return true;
  }
}

/**
 * Entries of an index in several disjoint, ascending ranges. If a range is empty, the key after it shows which of the
 * next ones may match: of ten thousand with few matches, few are read.
 */
class LeapingReader {
  /** In the order of reading. */
  private readonly ranges: readonly KeyRange[];
  private current = 0;
  private reader: RangeReader | undefined;

  constructor(
    private readonly database: Part,
    private readonly index: Index,
    ranges: readonly KeyRange[],
    private readonly reverse: boolean,
  ) {
    this.ranges = reverse ? [...ranges].reverse() : ranges;
  }

  /** @returns `PASSED_OVER` after a leap, when the next entry must be found */
  next(): Entry | typeof PASSED_OVER | undefined {
    if (this.current === this.ranges.length) return undefined;
    this.reader ??= this.openFrom(this.ranges[this.current]!);
    const entry = this.reader.next();
    if (!entry) {
      this.current = this.ranges.length;
      return undefined;
    }
    if (this.isLast || !this.isBehind(this.ranges[this.current]!, entry.key)) return entry;
    this.leapTo(entry.key);
    if (this.current < this.ranges.length && this.isReached(this.ranges[this.current]!, entry.key)) return entry;
    this.pause();
    this.reader = undefined;
    return PASSED_OVER;
  }

  /** For the last one lmdb itself detects the end. */
  private get isLast(): boolean {
    return this.current === this.ranges.length - 1;
  }

  private openFrom({ start, end }: KeyRange): RangeReader {
    const last = this.ranges.at(-1)!;
    const rest = this.reverse ? { start: last.start, end } : { start, end: last.end };
    return new RangeReader(this.database, withPrefix(this.index.id, rest), this.reverse, this.index.isUnique);
  }

  /** To the first range that the key is not behind. */
  private leapTo(key: Uint8Array): void {
    let high = this.ranges.length;
    this.current++;
    while (this.current < high) {
      const middle = (this.current + high) >> 1;
      if (this.isBehind(this.ranges[middle]!, key)) this.current = middle + 1;
      else high = middle;
    }
  }

  private isBehind(range: KeyRange, key: Uint8Array): boolean {
    return this.reverse ? !isFromStart(range, key) : !isBeforeEnd(range, key);
  }

  private isReached(range: KeyRange, key: Uint8Array): boolean {
    return this.reverse ? isBeforeEnd(range, key) : isFromStart(range, key);
  }

  pause(): void {
    this.reader?.pause();
  }
}

/** The entries of an index in some ranges, each record once also if several of its entries match. */
export class IndexScan implements Scan {
  keysExamined = 0;
  private readonly index: Index;
  private readonly reader: LeapingReader;
  private readonly filter: EntryFilter;
  private readonly seen: Set<number> | undefined;

  constructor(store: Store, { index, ranges, reverse, filters, mayRepeat }: IndexReading) {
    this.index = index;
    this.filter = new EntryFilter(index, filters);
    this.seen = mayRepeat ? new Set() : undefined;
    this.reader = new LeapingReader(store.entries, index, ranges, reverse);
  }

  next(): number | undefined {
    const entry = this.reader.next();
    if (entry === undefined || entry === PASSED_OVER) return entry;
    this.keysExamined++;
    if (!this.filter.passes(entry)) return PASSED_OVER;
    const recordId = recordIdOf(this.index, entry);
    if (this.seen?.has(recordId)) return PASSED_OVER;
    this.seen?.add(recordId);
    return recordId;
  }

  pause(): void {
    this.reader.pause();
  }
}

/**
 * After this number of entries with one value the rest is skipped: a new lookup costs about as much as reading these.
 */
const ENTRIES_BEFORE_LEAP = 8;

/**
 * One record, at least, for each value of an index field within its one range, in which the fields before it are
 * equal.
 */
export class DistinctScan implements Scan {
  keysExamined = 0;
  private readonly index: Index;
  private readonly end: Buffer;
  private readonly filter: EntryFilter;
  private readonly ends: number[] = [];
  private reader: RangeReader;
  /** The key up to the end of the last returned value. */
  private given: Uint8Array | undefined;
  private repeated = 0;

  constructor(
    private readonly store: Store,
    { index, ranges: [range], filters }: IndexReading,
    private readonly field: number,
  ) {
    this.index = index;
    this.filter = new EntryFilter(index, filters);
    const { start, end } = withPrefix(index.id, range!);
    this.end = end;
    this.reader = this.readFrom(start);
  }

  private readFrom(start: Buffer): RangeReader {
    return new RangeReader(this.store.entries, { start, end: this.end }, false, this.index.isUnique);
  }

  next(): number | undefined {
    const entry = this.reader.next();
    if (entry === undefined) return undefined;
    this.keysExamined++;
    const { key } = entry;
    if (this.given && startsWith(key, this.given)) {
      if (++this.repeated === ENTRIES_BEFORE_LEAP) this.leap(this.given);
      return PASSED_OVER;
    }
    if (!this.filter.passes(entry)) return PASSED_OVER;
    splitKey(key, PREFIX_BYTES, this.index.directions, this.ends);
    this.repeated = 0;
    // Entries also contain null for a missing field, which is no value: each of them must be read.
    this.given = this.isNull(key) ? undefined : Uint8Array.from(key.subarray(0, this.ends[this.field + 1]));
    return recordIdOf(this.index, entry);
  }

  private isNull(key: Uint8Array): boolean {
    return (key[this.ends[this.field]!]! ^ (this.index.directions[this.field] === -1 ? 0xff : 0)) === Rank.Null;
  }

  private leap(behind: Uint8Array): void {
    this.reader.pause();
    this.reader = this.readFrom(successor(behind));
  }

  pause(): void {
    this.reader.pause();
  }
}

const startsWith = (key: Uint8Array, start: Uint8Array): boolean =>
  key.length >= start.length && start.every((byte, at) => key[at] === byte);

/** An entry that waits for its turn among those of other ranges. */
interface Head {
  recordId: number;
  /** Its sort key: the fields after the leading ones, and the record. */
  rest: Uint8Array;
  source: number;
}

/** Several ranges of an index, each ordered, merged in that order. */
export class MergeScan implements Scan {
  keysExamined = 0;
  private readonly index: Index;
  private readonly readers: RangeReader[];
  private readonly filter: EntryFilter;
  private readonly leading: number[];
  private readonly sign: 1 | -1;
  private readonly seen = new Set<number>();
  private heads: Head[] | undefined;

  constructor(store: Store, { index, ranges, reverse, filters }: IndexReading) {
    this.index = index;
    this.filter = new EntryFilter(index, filters);
    const full = ranges.map((range) => withPrefix(index.id, range));
    this.readers = full.map((range) => new RangeReader(store.entries, range, reverse, index.isUnique));
    this.leading = ranges.map(({ leadingBytes }) => PREFIX_BYTES + leadingBytes);
    this.sign = reverse ? -1 : 1;
  }

  next(): number | undefined {
    this.heads ??= this.readers.map((_, source) => this.advance(source)).filter((head) => head !== undefined);
    const first = this.takeFirst(this.heads);
    if (first === undefined) return undefined;
    // Equal points give equal ranges, and an array may have an element in several.
    if (first.recordId === PASSED_OVER || this.seen.has(first.recordId)) return PASSED_OVER;
    this.seen.add(first.recordId);
    return first.recordId;
  }

  private takeFirst(heads: Head[]): Head | undefined {
    let best = 0;
    for (let at = 1; at < heads.length; at++) {
      if (Buffer.compare(heads[at]!.rest, heads[best]!.rest) * this.sign < 0) best = at;
    }
    const first = heads[best];
    if (!first) return undefined;
    const following = this.advance(first.source);
    if (following) heads[best] = following;
    else heads.splice(best, 1);
    return first;
  }

  private advance(source: number): Head | undefined {
    const entry = this.readers[source]!.next();
    if (!entry) return undefined;
    this.keysExamined++;
    const recordId = this.filter.passes(entry) ? recordIdOf(this.index, entry) : PASSED_OVER;
    return { recordId, rest: entry.key.subarray(this.leading[source]!), source };
  }

  pause(): void {
    for (const reader of this.readers) reader.pause();
  }
}

function recordIdOf({ isUnique }: Index, { key, value }: Entry): number {
  return isUnique ? readRecordId(value, 0) : readRecordId(key, key.length - RECORD_ID_BYTES);
}

/** Complete keys of a unique index, each looked up separately: cheaper than opening a range per key. */
export class PointScan implements Scan {
  keysExamined = 0;
  private position = 0;
  private readonly prefix: Buffer;
  private readonly seen: Set<number> | undefined;

  constructor(
    private readonly store: Store,
    index: Index,
    private readonly points: Buffer[],
  ) {
    this.prefix = prefixKey(index.id);
    this.seen = index.isMultikey ? new Set() : undefined;
  }

  next(): number | undefined {
    if (this.position === this.points.length) return undefined;
    const key = Buffer.concat([this.prefix, this.points[this.position++]!]);
    const value = this.store.entries.getBinaryFast(key);
    if (!value) return PASSED_OVER;
    this.keysExamined++;
    const recordId = readRecordId(value, 0);
    if (this.seen?.has(recordId)) return PASSED_OVER;
    this.seen?.add(recordId);
    return recordId;
  }

  pause(): void {
    // Nothing is held between two look-ups.
  }
}

/** Several scans one after the other, each record once. */
export class UnionScan implements Scan {
  private readonly seen = new Set<number>();
  private current = 0;

  constructor(private readonly scans: Scan[]) {}

  next(): number | undefined {
    while (this.current < this.scans.length) {
      const recordId = this.scans[this.current]!.next();
      if (recordId === undefined) this.current++;
      else if (recordId === PASSED_OVER || this.seen.has(recordId)) return PASSED_OVER;
      else {
        this.seen.add(recordId);
        return recordId;
      }
    }
    return undefined;
  }

  pause(): void {
    this.scans[this.current]?.pause();
  }

  get keysExamined(): number {
    return this.scans.reduce((sum, scan) => sum + scan.keysExamined, 0);
  }
}

/** A range of whole keys. */
export function withPrefix(indexId: number, { start, end }: KeyRange): KeyRange {
  const prefix = prefixKey(indexId);
  return {
    start: Buffer.concat([prefix, start]),
    end: isBehindAll(end) ? prefixKey(indexId + 1) : Buffer.concat([prefix, end]),
  };
}

/** An end without bytes, or of 0xff only, is after every key of an index. */
const isBehindAll = (end: Buffer): boolean => end.every((byte) => byte === 0xff);

/** @param key whole, and of the index that the range is of */
const isFromStart = ({ start }: KeyRange, key: Uint8Array): boolean => start.compare(key, PREFIX_BYTES) <= 0;
const isBeforeEnd = ({ end }: KeyRange, key: Uint8Array): boolean =>
  end.compare(key, PREFIX_BYTES) > 0 || isBehindAll(end);
