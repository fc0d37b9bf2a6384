import type { Document } from '../bson/value';
import { MongoError } from '../errors';
import type { SortKey, SortOrder } from './sort-key';

interface Row {
  key: SortKey;
  recordId: number;
  /** Place in the order of arrival: equal keys stay in it. */
  arrival: number;
}

/** What a row takes besides the text in its key, about. */
const ROW_BYTES = 120;

/** Sorts record ids by their documents' keys, holding the keys only, and no more of them than are wanted. */
export class Sorter {
  private rows: Row[] = [];
  private bytes = 0;
  private arrivals = 0;

  /** @param wanted rows that are needed from the beginning of the order; Infinity for all */
  constructor(
    private readonly order: SortOrder,
    private readonly wanted: number,
    private readonly memoryBytes: number,
  ) {}

  /** @throws QueryExceededMemoryLimitNoDiskUseAllowed (292) */
  add(recordId: number, document: Document): void {
    const key = this.order.keyOf(document);
    this.rows.push({ key, recordId, arrival: this.arrivals++ });
    this.bytes += ROW_BYTES + textBytes(key);
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
    this.bytes = this.rows.reduce((sum, { key }) => sum + ROW_BYTES + textBytes(key), 0);
  }

  private sort(): void {
    this.rows.sort((a, b) => this.order.compare(a.key, b.key) || a.arrival - b.arrival);
  }

  *sorted(): IterableIterator<number> {
    this.sort();
    const rows = this.rows;
    this.rows = [];
    for (const { recordId } of rows) yield recordId;
  }
}

function textBytes(key: SortKey): number {
  let bytes = 0;
  for (const value of key) if (typeof value === 'string') bytes += value.length;
  return bytes;
}
