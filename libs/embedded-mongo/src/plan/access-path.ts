import type { Bound, KeyRange } from '../bson/index-key';
import type { Value } from '../bson/value';
import type { Index } from '../index/index-spec';
import type { KeyFilter } from '../storage/scan';

/** The values that a plan asks of one field of an index. */
export interface Intervals {
  points: Value[];
  ranges: Bound[];
}

/** A piece of an index. Entries of several pieces are put in order by what follows the leading bytes of their fields. */
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
  /** One per leading field that is bound; those behind may have any value. */
  bounds: Intervals[];
  /** Of encoded fields; disjoint and ascending unless merged. Empty where there are points. */
  readonly ranges: ScanRange[];
  /** Whole keys of a unique index, to be looked up instead of scanned. */
  points: Buffer[] | undefined;
  reverse: boolean;
  /** Conditions on fields that are not bound, which entries answer before their document is read. */
  filters: KeyFilter[];
  /** Several entries within the ranges may belong to one document. */
  mayRepeat: boolean;
  /** Every document found matches the whole filter, so that it need not be looked at. */
  isExact: boolean;
  /** Documents come in the order that was asked for. */
  isSorted: boolean;
  /** The ranges are each in that order, and their scans are to be merged. */
  isMerged: boolean;
  /** One document for each value of this field of the index is enough: the one range is read so, forwards. */
  distinctField?: number;
}
