import type { Collation } from '../bson/collation';
import { compareValues } from '../bson/compare';
import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import { type SortKey, sortValueReader } from '../query/sort';

interface Row {
  values: Value[];
  recordId: number;
  /** Place in the order of arrival: equal rows stay in it. */
  arrival: number;
}

/** What a row takes besides the text it is sorted by, about. */
const ROW_BYTES = 120;

/** Sorts record ids by their documents' values, holding those values only, and no more rows than are wanted. */
export class Sorter {
  private rows: Row[] = [];
  private bytes = 0;
  private arrivals = 0;
  private readonly readers: ((document: Document) => Value)[];

  /** @param wanted rows that are needed from the beginning of the order; Infinity for all */
  constructor(
    readonly keys: readonly SortKey[],
    private readonly collation: Collation | undefined,
    private readonly wanted: number,
    private readonly memoryBytes: number,
  ) {
    this.readers = keys.map(({ path, direction }) => sortValueReader(path, direction, collation));
  }

  /** @throws QueryExceededMemoryLimitNoDiskUseAllowed (292) */
  add(recordId: number, document: Document): void {
    const values = this.readers.map((read) => read(document));
    this.rows.push({ values, recordId, arrival: this.arrivals++ });
    this.bytes += bytesOf(values);
    if (this.rows.length >= 2 * this.wanted + 1000) this.keepWanted();
    if (this.bytes > this.memoryBytes) {
      throw new MongoError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Sort exceeded memory limit of ${this.memoryBytes} bytes; add an index for the sort or a limit`,
      );
    }
  }

  private keepWanted(): void {
    this.sort();
    this.rows.length = this.wanted;
    this.bytes = this.rows.reduce((sum, { values }) => sum + bytesOf(values), 0);
  }

  private sort(): void {
    this.rows.sort((a, b) => this.compare(a.values, b.values) || a.arrival - b.arrival);
  }

  private compare(a: Value[], b: Value[]): number {
    for (let key = 0; key < this.keys.length; key++) {
      const difference = compareValues(a[key], b[key], this.collation);
      if (difference !== 0) return difference * this.keys[key]!.direction;
    }
    return 0;
  }

  /** The record ids in order. What they were sorted by is forgotten: a cursor may hold them for minutes. */
  sorted(): IterableIterator<number> {
    this.sort();
    const recordIds = Float64Array.from(this.rows, ({ recordId }) => recordId);
    this.rows = [];
    return recordIds.values();
  }
}

function bytesOf(values: Value[]): number {
  let bytes = ROW_BYTES;
  for (const value of values) if (typeof value === 'string') bytes += value.length;
  return bytes;
}
