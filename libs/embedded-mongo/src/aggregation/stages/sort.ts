import { decodeDocument } from '../../bson/decode';
import { fieldNames } from '../../bson/document';
import { encodeDocument } from '../../bson/encode';
import { type Document, isDocument, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import { compileValueOrder, parseSort, type SortKey, sortValueReader } from '../../language/sort';
import { ExternalSort, type Sortable } from '../../spill/external-sort';
import {
  type CompileStage,
  DEFAULT_MAX_BYTES,
  inBatches,
  MemoryMeter,
  roughBytes,
  type Stage,
  type StageContext,
} from './stage';

interface Row {
  document: Document;
  values: Value[];
}

export const sort: CompileStage = (operand, context) => {
  if (!isDocument(operand)) throw new MongoError(15973, 'the $sort key specification must be an object');
  if (fieldNames(operand).length === 0) throw new MongoError(15976, '$sort stage must have at least one sort key');
  return sortBy(parseSort(operand), context);
};

/** Sorts whole documents. Equal ones stay in their order. */
export function sortBy(keys: readonly SortKey[], context: StageContext): Stage {
  const { collation, limitAhead = Number.POSITIVE_INFINITY, maxBytes = DEFAULT_MAX_BYTES, openScratch } = context;
  const readers = keys.map(({ path, direction }) => sortValueReader(path, direction, collation));
  const rowOf = (document: Document): Row => ({ document, values: readers.map((read) => read(document)) });
  const refusal = (): MongoError => new MemoryMeter('$sort', context).refusal();
  return async function* (input) {
    const limits = { wanted: limitAhead, memoryBytes: maxBytes, openScratch, refusal };
    const rows = new ExternalSort(rowsBy(keys, rowOf, context), limits);
    try {
      for await (const batch of input) {
        for (const document of batch) {
          rows.add(rowOf(document));
          if (rows.isDue) for (const _ of rows.settle()) await context.takeTurn?.();
        }
      }
      yield* inBatches(documentsOf(rows.sorted()), context);
    } finally {
      rows.close();
    }
  };
}

function* documentsOf(rows: Iterable<Row>): Generator<Document> {
  for (const { document } of rows) yield document;
}

function rowsBy(
  keys: readonly SortKey[],
  rowOf: (document: Document) => Row,
  { collation }: StageContext,
): Sortable<Row> {
  const compare = compileValueOrder(keys, collation);
  return {
    compare: (a, b) => compare(a.values, b.values),
    bytesOf: ({ document }) => roughBytes(document),
    encode: ({ document }) => encodeDocument(document),
    decode: (bytes) => rowOf(decodeDocument(bytes)),
  };
}
