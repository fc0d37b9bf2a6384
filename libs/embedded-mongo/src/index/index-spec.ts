import { type Collation, parseCollation } from '../bson/collation';
import { fieldNames } from '../bson/document';
import type { Direction } from '../bson/index-key';
import type { Document } from '../bson/value';
import { compileFilter, type Matcher } from '../query/compile-filter';
import type { FilterNode } from '../query/filter-node';
import { parseFilter } from '../query/parse-filter';
import { RangeCounts } from './range-counts';

/** The catalog's record of an index. */
export interface IndexRecord {
  id: number;
  /** In the form of `listIndexes`: `v`, `key`, `name` and its options. */
  spec: Document;
  /** One flag per key field: whether any document had an array along its path. Never reset. */
  multikey: boolean[];
  /** Whether any entry was cut: then the order of entries is not the order of values. Never reset. */
  truncated: boolean;
  /** False while entries for older documents are being added; such an index answers no query. */
  ready: boolean;
}

/** An index in use: its record, and its parsed spec. */
export class Index {
  readonly fields: string[];
  readonly paths: string[][];
  readonly directions: Direction[];
  readonly isUnique: boolean;
  readonly isSparse: boolean;
  isHidden: boolean;
  /** Set when it is dropped while a cursor still reads it. */
  isDropped = false;
  readonly collation: Collation | undefined;
  /** Whether a field is `a.0`: an element, or a field of elements. */
  readonly namesElements: boolean;
  readonly partialFilter: Document | undefined;
  /** `partialFilter`, parsed. */
  readonly partialNode: FilterNode | undefined;
  private readonly partialMatcher: Matcher | undefined;
  readonly counts = new RangeCounts();

  constructor(readonly record: IndexRecord) {
    const { key, unique, sparse, hidden, collation, partialFilterExpression } = record.spec as {
      key: Document;
      unique?: boolean;
      sparse?: boolean;
      hidden?: boolean;
      collation?: Document;
      partialFilterExpression?: Document;
    };
    this.fields = fieldNames(key);
    this.paths = this.fields.map((field) => field.split('.'));
    this.directions = this.fields.map((field) => (Number(key[field]) < 0 ? -1 : 1));
    this.isUnique = unique === true || this.isPrimary;
    this.isSparse = sparse === true;
    this.isHidden = hidden === true;
    this.collation = parseCollation(collation);
    this.namesElements = this.paths.some((path) => path.some((name) => /^\d+$/.test(name)));
    this.partialFilter = partialFilterExpression;
    this.partialNode = partialFilterExpression && parseFilter(partialFilterExpression);
    this.partialMatcher = this.partialNode && compileFilter(this.partialNode);
  }

  get id(): number {
    return this.record.id;
  }

  get name(): string {
    return this.record.spec.name as string;
  }

  /** Whether this is the index on `_id` that every collection has. */
  get isPrimary(): boolean {
    return this.record.spec.name === '_id_';
  }

  get isMultikey(): boolean {
    return this.record.multikey.includes(true);
  }

  /** Seconds after the time in the indexed field at which a document expires. */
  get expireAfterSeconds(): number | undefined {
    const seconds = this.record.spec.expireAfterSeconds;
    return seconds === undefined ? undefined : Number(seconds);
  }

  /** Whether a partial index contains this document. */
  covers(document: Document): boolean {
    return this.partialMatcher === undefined || this.partialMatcher.matches(document);
  }
}
