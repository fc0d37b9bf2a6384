import type { Binary, BSONRegExp, BSONSymbol, Code, ObjectId, Timestamp } from 'bson';
import type { Collation } from './collation';
import { fieldNames } from './document';
import { type BsonNumber, compareNumbers } from './number';
import { type Document, Rank, rankOf, type Value } from './value';

/**
 * Compares two values as MongoDB sorts them: first by the order of types, then within the type.
 * Null, undefined and missing are equal; numbers are compared by exact value across their types.
 * @returns negative, zero or positive
 */
export function compareValues(a: Value, b: Value, collation?: Collation): number {
  if (a === b && typeof a !== 'number') return 0;
  const rank = rankOf(a);
  const difference = rank - rankOf(b);
  if (difference !== 0) return difference;
  return compareWithin(rank, a, b, collation);
}

export function equalValues(a: Value, b: Value, collation?: Collation): boolean {
  return compareValues(a, b, collation) === 0;
}

function compareWithin(rank: Rank, a: Value, b: Value, collation: Collation | undefined): number {
  switch (rank) {
    case Rank.Number:
      return compareNumbers(a as BsonNumber, b as BsonNumber);
    case Rank.String: {
      const left = textOf(a as string | BSONSymbol);
      const right = textOf(b as string | BSONSymbol);
      return collation ? collation.compare(left, right) : compareStrings(left, right);
    }
    case Rank.Object:
      return compareDocuments(a as Document, b as Document, collation);
    case Rank.Array:
      return compareArrays(a as Value[], b as Value[], collation);
    case Rank.Binary:
      return compareBinaries(a as Binary, b as Binary);
    case Rank.ObjectId:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case Rank.Boolean:
      return Number(a) - Number(b);
    case Rank.Date:
      return (a as Date).getTime() - (b as Date).getTime();
    case Rank.Timestamp:
      return (a as Timestamp).compare(b as Timestamp);
    case Rank.RegExp:
      return compareRegExps(a as BSONRegExp | RegExp, b as BSONRegExp | RegExp);
    case Rank.Code:
    case Rank.CodeWithScope:
      return compareCode(a as Code, b as Code, collation);
    default:
      return 0;
  }
}

/** Orders strings by their UTF-8 bytes, which is the order of code points, not of JavaScript's UTF-16 units. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    const surrogates = Number(isSurrogate(left)) - Number(isSurrogate(right));
    return surrogates || left - right;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

const textOf = (value: string | BSONSymbol): string => (typeof value === 'string' ? value : value.value);

/** Field by field in order: type, then name, then value; the shorter first. */
function compareDocuments(a: Document, b: Document, collation: Collation | undefined): number {
  const leftNames = fieldNames(a);
  const rightNames = fieldNames(b);
  const length = Math.min(leftNames.length, rightNames.length);
  for (let index = 0; index < length; index++) {
    const leftName = leftNames[index] as string;
    const rightName = rightNames[index] as string;
    const left = a[leftName];
    const right = b[rightName];
    const rank = rankOf(left);
    const difference = rank - rankOf(right) || compareStrings(leftName, rightName);
    if (difference !== 0) return difference;
    const order = compareWithin(rank, left, right, collation);
    if (order !== 0) return order;
  }
  return leftNames.length - rightNames.length;
}

function compareArrays(a: Value[], b: Value[], collation: Collation | undefined): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const order = compareValues(a[index], b[index], collation);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareBinaries(a: Binary, b: Binary): number {
  return a.length() - b.length() || a.sub_type - b.sub_type || Buffer.compare(binaryBytes(a), binaryBytes(b));
}

export function binaryBytes(binary: Binary): Uint8Array {
  return binary.buffer.subarray(0, binary.position);
}

export function regExpParts(value: BSONRegExp | RegExp): { pattern: string; options: string } {
  return value instanceof RegExp ? { pattern: value.source, options: value.flags } : value;
}

function compareRegExps(a: BSONRegExp | RegExp, b: BSONRegExp | RegExp): number {
  const left = regExpParts(a);
  const right = regExpParts(b);
  return compareStrings(left.pattern, right.pattern) || compareStrings(left.options, right.options);
}

function compareCode(a: Code, b: Code, collation: Collation | undefined): number {
  const order = compareStrings(String(a.code), String(b.code));
  if (order !== 0 || !a.scope || !b.scope) return order;
  return compareDocuments(a.scope as Document, b.scope as Document, collation);
}
