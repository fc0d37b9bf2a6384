import type { Collation } from '../bson/collation';
import type { Document, Value } from '../bson/value';
import type { FilterNode } from './filter-node';

export interface FilterOptions {
  collation?: Collation;
  /** Values of `let`, already evaluated, by name without `$$`. */
  variables?: Record<string, Value>;
  /** The time `$$NOW` means; the same for the whole command. */
  now?: Date;
}

/** A filter ready to be tried on documents. */
export interface Matcher {
  readonly node: FilterNode;
  matches(document: Document): boolean;
  /** As `matches`, on BSON bytes; decodes no more of them than it needs. */
  matchesBytes(bytes: Uint8Array): boolean;
  /**
   * The array index that the positional `$` of updates and projections stands for, when the document matches.
   * @returns undefined where the filter names no array, or the document does not match
   */
  matchedPosition(document: Document): number | undefined;
}
