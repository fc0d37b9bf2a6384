import type { Direction, KeyRange } from './index-key';
import { Rank } from './value';

/** The terminator of a text, and of the fields of a document or the elements of an array; see key-writer. */
const END_OF_TEXT = 0;
const END_OF_FIELDS = 1;

/**
 * The positions of the fields of an encoded key: `ends[0]` is `start`, and field `n` is `[ends[n], ends[n + 1])`. The
 * key must not be truncated.
 * @param ends filled; one more than directions
 */
export function splitKey(key: Uint8Array, start: number, directions: readonly Direction[], ends: number[]): void {
  ends[0] = start;
  for (let field = 0; field < directions.length; field++) {
    ends[field + 1] = valueEnd(key, ends[field]!, directions[field] === -1 ? 0xff : 0);
  }
}

/** @param flip 0xff if the bytes are inverted */
function valueEnd(key: Uint8Array, start: number, flip: number): number {
  return contentEnd(key, start + 1, key[start]! ^ flip, flip);
}

function contentEnd(key: Uint8Array, start: number, rank: number, flip: number): number {
  switch (rank) {
    case Rank.Number:
      return numberEnd(key, start, flip);
    case Rank.String:
      return textEnd(key, start, flip);
    case Rank.Object:
      return documentEnd(key, start, flip);
    case Rank.Array: {
      let end = start;
      while ((key[end]! ^ flip) !== END_OF_FIELDS) end = valueEnd(key, end, flip);
      return end + 1;
    }
    case Rank.Binary: {
      const length = [0, 1, 2, 3].reduce((sum, at) => sum * 256 + (key[start + at]! ^ flip), 0);
      return start + 5 + length;
    }
    case Rank.ObjectId:
      return start + 12;
    case Rank.Boolean:
      return start + 1;
    case Rank.Date:
    case Rank.Timestamp:
      return start + 8;
    case Rank.RegExp:
      return textEnd(key, textEnd(key, start, flip), flip);
    case Rank.Code:
      return textEnd(key, start, flip);
    case Rank.CodeWithScope:
      return documentEnd(key, textEnd(key, start, flip), flip);
    default:
      return start;
  }
}

/** Nine bytes; if the last of them marks the double as inexact, decimal digits follow. */
function numberEnd(key: Uint8Array, start: number, flip: number): number {
  const isNegative = (key[start]! ^ flip) < 0x80;
  const sign = isNegative ? flip ^ 0xff : flip;
  const isExact = (key[start + 8]! ^ sign) !== 1;
  return isExact ? start + 9 : textEnd(key, start + 11, sign);
}

function textEnd(key: Uint8Array, start: number, flip: number): number {
  let end = start;
  while ((key[end]! ^ flip) !== END_OF_TEXT) end++;
  return end + 1;
}

function documentEnd(key: Uint8Array, start: number, flip: number): number {
  let end = start;
  while ((key[end]! ^ flip) !== END_OF_FIELDS) {
    const rank = key[end]! ^ flip;
    end = contentEnd(key, textEnd(key, end + 1, flip), rank, flip);
  }
  return end + 1;
}

/** Whether the bytes `[from, to)` of a key lie in one of the ranges, which are ascending. */
export function isWithin(key: Uint8Array, from: number, to: number, ranges: readonly KeyRange[]): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const { start, end } = ranges[middle]!;
    if (compareSlice(key, from, to, start) < 0) high = middle - 1;
    else if (compareSlice(key, from, to, end) >= 0) low = middle + 1;
    else return true;
  }
  return false;
}

function compareSlice(key: Uint8Array, from: number, to: number, other: Uint8Array): number {
  const shared = Math.min(to - from, other.length);
  for (let index = 0; index < shared; index++) {
    const difference = key[from + index]! - other[index]!;
    if (difference !== 0) return difference;
  }
  return to - from - other.length;
}
