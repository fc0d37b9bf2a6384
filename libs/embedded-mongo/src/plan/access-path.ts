import type { Bound, KeyRange } from '../bson/index-key';
import type { Value } from '../bson/value';
import type { Index } from '../index/index-spec';
import type { KeyFilter } from '../storage/scan';

/** The values of one index field in a plan. */
export interface Intervals {
  points: Value[];
  ranges: Bound[];
}

/** A piece of an index. Entries of several pieces are merged by the fields after the leading ones. */
export interface ScanRange extends KeyRange {
  leadingBytes: number;
}

/** How the documents of a query are found. */
export type AccessPath =
  | { stage: 'COLLSCAN'; reverse: boolean }
  | IndexPath
  | { stage: 'OR'; branches: IndexPath[] }
  /** Nothing can match. */
  | { stage: 'EOF' };

export interface IndexPath {
  stage: 'IXSCAN';
  index: Index;
  /** One per leading field that is bound; later ones may have any value. */
  bounds: Intervals[];
  /** Of encoded fields; disjoint and ascending unless merged. Empty if there are points. */
  readonly ranges: ScanRange[];
  /** Complete keys of a unique index, which are looked up instead of scanned. */
  points: Buffer[] | undefined;
  reverse: boolean;
  /** Conditions on unbound fields, which are tested on entries before their document is read. */
  filters: KeyFilter[];
  /** Several entries within the ranges may belong to one document. */
  mayRepeat: boolean;
  /** Every found document matches the whole filter, which need not be tested. */
  isExact: boolean;
  /** Documents are returned in the requested order. */
  isSorted: boolean;
  /** The ranges are each in that order, and their scans are to be merged. */
  isMerged: boolean;
  /** One document for each value of this field of the index is enough: the one range is read so, forwards. */
  distinctField?: number;
}
