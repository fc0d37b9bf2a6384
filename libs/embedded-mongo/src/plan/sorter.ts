import { Double } from 'bson';
import type { Collation } from '../bson/collation';
import { decodeDocument, decodeFields } from '../bson/decode';
import { documentOf } from '../bson/document';
import { encodeDocument } from '../bson/encode';
import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import { compileValueOrder, type SortKey, sortValueReader } from '../language/sort';
import { ExternalSort, type Sortable } from '../spill/external-sort';
import type { OpenScratch } from '../spill/scratch-file';

interface Row {
  values: Value[];
  recordId: number;
}

/** Approximate memory of a row besides its text keys. */
const ROW_BYTES = 120;

export interface SorterLimits {
  /** Rows that are needed from the beginning of the order; Infinity for all. */
  wanted: number;
  memoryBytes: number;
  /** Absent if the caller does not allow the use of the disk. */
  openScratch: OpenScratch | undefined;
}

/** Sorts record ids by their documents' values, with only those values in memory, and no more rows than needed. */
export class Sorter {
  private readonly rows: ExternalSort<Row>;
  private readonly readers: ((document: Document) => Value)[];
  private readonly fields: ReadonlySet<string>;

  constructor(keys: readonly SortKey[], collation: Collation | undefined, limits: SorterLimits) {
    this.readers = keys.map(({ path, direction }) => sortValueReader(path, direction, collation));
    this.fields = new Set(keys.map(({ path }) => path.split('.', 1)[0]!));
    const refusal = (): MongoError =>
      new MongoError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Sort exceeded memory limit of ${limits.memoryBytes} bytes, but did not opt in to external sorting.`,
      );
    this.rows = new ExternalSort(rowsBy(keys, collation), { ...limits, refusal });
  }

  /** Call `settle` after it if `isDue` is true. */
  add(recordId: number, bytes: Uint8Array): void {
    const document = decodeFields(bytes, this.fields);
    this.rows.add({ values: this.readers.map((read) => read(document)), recordId });
  }

  get isDue(): boolean {
    return this.rows.isDue;
  }

  /** @see ExternalSort.settle */
  settle(): Generator<void> {
    return this.rows.settle();
  }

  *sorted(): Generator<number> {
    for (const { recordId } of this.rows.sorted()) yield recordId;
  }

  close(): void {
    this.rows.close();
  }
}

function rowsBy(keys: readonly SortKey[], collation: Collation | undefined): Sortable<Row> {
  const compare = compileValueOrder(keys, collation);
  return {
    compare: (a, b) => compare(a.values, b.values),
    bytesOf({ values }) {
      let bytes = ROW_BYTES;
      for (const value of values) if (typeof value === 'string') bytes += value.length;
      return bytes;
    },
    encode: ({ values, recordId }) =>
      encodeDocument(
        documentOf([
          ['values', values],
          ['recordId', new Double(recordId)],
        ]),
      ),
    decode(bytes) {
      const { values, recordId } = decodeDocument(bytes);
      return { values: values as Value[], recordId: Number(recordId) };
    },
  };
}
