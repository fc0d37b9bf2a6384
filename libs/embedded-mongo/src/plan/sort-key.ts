import type { Collation } from '../bson/collation';
import { compareValues } from '../bson/compare';
import { documentOf, fieldNames } from '../bson/document';
import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import { leavesOf } from '../index/entry-fields';
import { Index } from '../index/index-spec';
import type { SortField } from './sort-order';

/** The values a document is sorted by. */
export type SortKey = Value[];

/** Reads a sort specification `{a: 1, b: -1}`. `{$meta: ...}` belongs to text search, which is not served. */
export function parseSort(sort: Document | null | undefined): SortField[] {
  if (!sort) return [];
  return fieldNames(sort).map((path) => {
    const number = Number(sort[path]);
    if (number !== 1 && number !== -1) {
      throw new MongoError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    }
    if (path === '') throw new MongoError(15976, 'FieldPath cannot be constructed with empty string');
    return { path, direction: number };
  });
}

/** Takes sort keys out of documents and compares them, as an index of the same fields would order them. */
export class SortOrder {
  private readonly index: Index;

  constructor(
    private readonly fields: SortField[],
    private readonly collation: Collation | undefined,
  ) {
    const key = documentOf(fields.map(({ path, direction }) => [path, direction]));
    this.index = new Index({ id: 0, spec: { key, name: 'sort' }, multikey: [], truncated: false, ready: false });
  }

  /** Of several elements of an array, the one that comes first in this order. */
  keyOf(document: Document): SortKey {
    const rows = leavesOf(this.index, document);
    return rows.length === 1 ? rows[0]! : rows.reduce((a, b) => (this.compare(b, a) < 0 ? b : a));
  }

  compare(a: SortKey, b: SortKey): number {
    for (let field = 0; field < this.fields.length; field++) {
      const difference = compareValues(a[field], b[field], this.collation);
      if (difference !== 0) return difference * this.fields[field]!.direction;
    }
    return 0;
  }
}
