import { createHash } from 'node:crypto';
import type { Collation } from './collation';
import { encodeFields, encodeToString, invert } from './key-writer';
import { Rank, rankOf, type Value } from './value';

export type Direction = 1 | -1;

/** A key in index order: `Buffer.compare` on two of them agrees with `compareValues` field by field. */
export interface EncodedKey {
  bytes: Buffer;
  /**
   * Whether it was truncated and ends in a hash. Truncated keys still differ for different values (unique indexes
   * stay exact), but have no order: ranges and sorts must read the document.
   */
  truncated: boolean;
}

export interface KeyOptions {
  /**
   * Strings are replaced by their folded form: equality is preserved, the order is not (the index cannot serve ranges
   * or sorts).
   */
  collation?: Collation | undefined;
  /** Longest key in bytes; lmdb refuses more than 1,978. */
  maxBytes?: number | undefined;
}

/** Leaves space for a number prefix and a record id within lmdb's limit of 1,978. */
export const defaultMaxKeyBytes = 1024;

const hashBytes = 16;

/**
 * Encodes the values of one index entry.
 * @param directions one per value; bytes of descending fields are inverted
 */
export function encodeKey(
  values: readonly Value[],
  directions: readonly Direction[],
  options: KeyOptions = {},
): EncodedKey {
  const bytes = encodeFields(values, directions, options.collation);
  const maxBytes = options.maxBytes ?? defaultMaxKeyBytes;
  if (bytes.length <= maxBytes) return { bytes, truncated: false };
  const hash = createHash('sha256').update(bytes).digest().subarray(0, hashBytes);
  return { bytes: Buffer.concat([bytes.subarray(0, maxBytes - hashBytes), hash]), truncated: true };
}

/** One value, ascending and never cut: for record ids, sets and group keys. */
export function encodeValue(value: Value, collation?: Collation): Buffer {
  return encodeFields([value], [1], collation);
}

/** A string equal for two values exactly when they compare equal. */
export function keyString(value: Value, collation?: Collation): string {
  return encodeToString(value, collation);
}

/** A range on one field: values of one type, unless a side is MinKey or MaxKey. */
export interface Bound {
  lower?: { value: Value; inclusive: boolean };
  upper?: { value: Value; inclusive: boolean };
}

/** `start <= key < end` under `Buffer.compare`. */
export interface KeyRange {
  start: Buffer;
  end: Buffer;
}

/**
 * The keys whose first fields equal `prefix` and whose next field is in `bound` (all of them without a bound). An
 * open side of the bound ends with the type of the other side, like MongoDB's $gt and $lt. A range may contain more
 * than requested if a key is longer than `maxBytes`, never less.
 */
export function keyRange(
  prefix: readonly Value[],
  bound: Bound | undefined,
  directions: readonly Direction[],
  options: KeyOptions = {},
): KeyRange {
  const head = encodeFields(prefix, directions, options.collation);
  if (!bound || (!bound.lower && !bound.upper)) return rangeFrom(head, head, options);
  const { low, high } = sides(bound, options.collation);
  if (directions[prefix.length] !== -1) {
    const start = bound.lower?.inclusive === false ? successor(low) : low;
    const end = bound.upper?.inclusive === false ? high : successor(high);
    return cut(Buffer.concat([head, start]), Buffer.concat([head, end]), options);
  }
  const [first, last] = [invert(high), invert(low)];
  const start = bound.upper?.inclusive === false ? successor(first) : first;
  const end = bound.lower?.inclusive === false ? last : successor(last);
  return cut(Buffer.concat([head, start]), Buffer.concat([head, end]), options);
}

function sides({ lower, upper }: Bound, collation: Collation | undefined): { low: Buffer; high: Buffer } {
  const low = lower ? encodeValue(lower.value, collation) : Buffer.of(openEnd(upper?.value, Rank.MinKey));
  const high = upper ? encodeValue(upper.value, collation) : Buffer.of(openEnd(lower?.value, Rank.MaxKey));
  return { low, high };
}

/** MinKey and MaxKey compare with all types, everything else with its own. */
function openEnd(value: Value, outermost: Rank): Rank {
  const rank = rankOf(value);
  return rank === Rank.MinKey || rank === Rank.MaxKey ? outermost : rank;
}

function rangeFrom(start: Buffer, last: Buffer, options: KeyOptions): KeyRange {
  return cut(start, last.length === 0 ? Buffer.of(0xff) : successor(last), options);
}

function cut(start: Buffer, end: Buffer, { maxBytes = defaultMaxKeyBytes }: KeyOptions): KeyRange {
  const kept = maxBytes - hashBytes;
  return {
    start: start.length <= kept ? start : start.subarray(0, kept),
    end: end.length <= kept ? end : successor(Buffer.from(end.subarray(0, kept))),
  };
}

/** The smallest byte string above everything that begins with `bytes`. */
export function successor(bytes: Uint8Array): Buffer {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0xff) length--;
  const next = Buffer.from(bytes.subarray(0, length));
  if (length > 0) next[length - 1] = (next[length - 1] as number) + 1;
  return next;
}
