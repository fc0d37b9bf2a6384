import type { Int32, Long, ObjectId } from 'bson';
import type { Collation } from '../bson/collation';
import { decodeValue } from '../bson/decode';
import { FarDate } from '../bson/far-date';
import { BsonType, isAt } from '../bson/field-finder';
import { type BsonNumber, toDouble } from '../bson/number';
import { classOf, Rank, rankOf, type Value } from '../bson/value';
import { nameEnd, readInt32, valueSize } from '../bson/value-size';
import type { Test } from '../language/visit-path';
import type { ComparisonOperator, FilterNode } from './filter-node';

/** Tests a value of the given BSON type at its place in a document; `BsonType.Missing` if there is none. */
export type ByteTest = (bytes: Uint8Array, type: number, start: number) => boolean;

type Leaf = Extract<FilterNode, { kind: 'leaf' }>;

/** Values of `$in` that are compared one by one; more of them are looked up in a set. */
const MAX_COMPARED = 16;

/**
 * As the compiled test of a leaf, on the bytes of a top level field, array or not. Common operands are compared without
 * making a value of the bytes; for the others just this field is decoded.
 */
export function compileByteTest(leaf: Leaf, test: Test, collation: Collation | undefined): ByteTest {
  if (leaf.operator === '$exists') return (_bytes, type) => type !== BsonType.Missing;
  const decoded: ByteTest = (bytes, type, start) =>
    test(type === BsonType.Missing ? undefined : decodeValue(bytes, start, type));
  if (leaf.operator === '$size') return decoded;
  const plain = plainTest(leaf, decoded, collation);
  if (plain) return (bytes, type, start) => (type === BsonType.Array ? anyElement : plain)(bytes, type, start, plain);
  return (bytes, type, start) => {
    if (type !== BsonType.Array) return decoded(bytes, type, start);
    const array = decodeValue(bytes, start, type) as Value[];
    return array.some((element) => test(element ?? null)) || test(array);
  };
}

function anyElement(bytes: Uint8Array, _type: number, start: number, test: ByteTest): boolean {
  const end = start + readInt32(bytes, start) - 1;
  for (let position = start + 4; position < end; ) {
    const type = bytes[position]!;
    const value = nameEnd(bytes, position + 1);
    if (test(bytes, type, value)) return true;
    position = value + valueSize(bytes, value, type);
  }
  return false;
}

/** A test by bytes for operands that no array as a whole can satisfy; undefined for other operands. */
function plainTest(leaf: Leaf, decoded: ByteTest, collation: Collation | undefined): ByteTest | undefined {
  switch (leaf.operator) {
    case '$eq':
      return equality(leaf.value, decoded, collation);
    case '$in':
      return membership(leaf.value, decoded, collation);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return comparison(leaf.operator, leaf.value, decoded);
    default:
      return undefined;
  }
}

function equality(operand: Value, decoded: ByteTest, collation: Collation | undefined): ByteTest | undefined {
  if (operand === null || operand === undefined) {
    return (_bytes, type) => type === BsonType.Missing || type === BsonType.Null || type === BsonType.Undefined;
  }
  if (typeof operand === 'boolean') {
    const byte = operand ? 1 : 0;
    return (bytes, type, start) => type === BsonType.Boolean && bytes[start] === byte;
  }
  if (typeof operand === 'string') {
    if (collation) return undefined;
    const wanted = encodedText(operand);
    return (bytes, type, start) => (type === BsonType.String || type === BsonType.Symbol) && isAt(bytes, start, wanted);
  }
  if (isObjectId(operand)) {
    const wanted = operand.id;
    return (bytes, type, start) => type === BsonType.ObjectId && isAt(bytes, start, wanted);
  }
  return comparison('$eq', operand, decoded);
}

const isObjectId = (value: Value): value is ObjectId =>
  typeof value === 'object' && value !== null && classOf(value) === 'ObjectId';

function encodedText(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const encoded = Buffer.alloc(4 + bytes + 1);
  encoded.writeInt32LE(bytes + 1, 0);
  encoded.write(text, 4);
  return encoded;
}

const holds: Record<ComparisonOperator, (a: number, b: number) => boolean> = {
  $eq: (a, b) => a === b,
  $gt: (a, b) => a > b,
  $gte: (a, b) => a >= b,
  $lt: (a, b) => a < b,
  $lte: (a, b) => a <= b,
};

/** Numbers and dates. Bytes that a double cannot represent exactly are decoded. */
function comparison(operator: ComparisonOperator, operand: Value, decoded: ByteTest): ByteTest | undefined {
  const test = holds[operator];
  const number = exactNumber(operand);
  if (number !== undefined) {
    return (bytes, type, start) => {
      switch (type) {
        case BsonType.Int32:
          return test(readInt32(bytes, start), number);
        case BsonType.Double:
          return test(readDouble(bytes, start), number);
        case BsonType.Long:
          return isSafeLong(bytes, start) ? test(readLong(bytes, start), number) : decoded(bytes, type, start);
        default:
          return type === BsonType.Decimal128 && decoded(bytes, type, start);
      }
    };
  }
  if (!(operand instanceof Date) || operand instanceof FarDate || Number.isNaN(operand.getTime())) return undefined;
  const time = operand.getTime();
  return (bytes, type, start) => {
    if (type !== BsonType.Date) return false;
    return isSafeLong(bytes, start) ? test(readLong(bytes, start), time) : decoded(bytes, type, start);
  };
}

/** The operand as a double, if that is exact. */
function exactNumber(operand: Value): number | undefined {
  if (rankOf(operand) !== Rank.Number || typeof operand === 'bigint') return undefined;
  if (typeof operand === 'object' && classOf(operand as Int32) === 'Decimal128') return undefined;
  const number = toDouble(operand as BsonNumber);
  const isExact = typeof operand === 'number' || classOf(operand as Long) !== 'Long' || Number.isSafeInteger(number);
  return isExact && !Number.isNaN(number) ? number : undefined;
}

const view = new DataView(new ArrayBuffer(8));

function readDouble(bytes: Uint8Array, start: number): number {
  view.setInt32(0, readInt32(bytes, start), true);
  view.setInt32(4, readInt32(bytes, start + 4), true);
  return view.getFloat64(0, true);
}

/** Whether the upper half keeps the whole within 2^52. */
function isSafeLong(bytes: Uint8Array, start: number): boolean {
  const high = readInt32(bytes, start + 4);
  return high < 0x100000 && high > -0x100000;
}

function readLong(bytes: Uint8Array, start: number): number {
  return readInt32(bytes, start + 4) * 0x100000000 + (readInt32(bytes, start) >>> 0);
}

function membership(operands: Value[], decoded: ByteTest, collation: Collation | undefined): ByteTest | undefined {
  const ids = operands.filter(isObjectId);
  const others = operands.filter((operand) => !isObjectId(operand));
  if (others.length > MAX_COMPARED) return undefined;
  const tests: ByteTest[] = [];
  for (const operand of others) {
    const test = equality(operand, decoded, collation);
    if (!test) return undefined;
    tests.push(test);
  }
  if (ids.length > 0) tests.push(isOneOf(ids));
  return (bytes, type, start) => tests.some((test) => test(bytes, type, start));
}

/** Ids by their last four bytes, a counter, so that hardly two of them share a place. */
function isOneOf(ids: ObjectId[]): ByteTest {
  const byCounter = new Map<number, Uint8Array[]>();
  for (const { id } of ids) {
    const counter = readInt32(id, 8);
    byCounter.set(counter, [...(byCounter.get(counter) ?? []), id]);
  }
  return (bytes, type, start) => {
    if (type !== BsonType.ObjectId) return false;
    return byCounter.get(readInt32(bytes, start + 8))?.some((id) => isAt(bytes, start, id)) === true;
  };
}
