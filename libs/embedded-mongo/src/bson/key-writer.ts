import type { Binary, BSONRegExp, BSONSymbol, Code, ObjectId, Timestamp } from 'bson';
import type { Collation } from './collation';
import { binaryBytes, regExpParts } from './compare';
import { fieldNames } from './document';
import type { Direction } from './index-key';
import { type BsonNumber, compareNumbers, isSpecial, toDouble, toExact } from './number';
import { type Document, Rank, rankOf, type Value } from './value';

// One scratch buffer serves all encoding: it is synchronous and copies its result out.
let scratch = Buffer.allocUnsafe(4096);
let position = 0;

/** The concatenated encodings of some values, those of descending fields inverted. */
export function encodeFields(
  values: readonly Value[],
  directions: readonly Direction[],
  collation: Collation | undefined,
): Buffer {
  position = 0;
  for (let index = 0; index < values.length; index++) {
    const start = position;
    writeValue(values[index], collation);
    if (directions[index] === -1) invert(scratch.subarray(start, position));
  }
  return Buffer.from(scratch.subarray(0, position));
}

/** One value's encoding as a string of bytes: cheaper than a buffer for a lookup. */
export function encodeToString(value: Value, collation: Collation | undefined): string {
  position = 0;
  writeValue(value, collation);
  return scratch.toString('latin1', 0, position);
}

/** Turns the order of keys around, in place. */
export function invert(bytes: Buffer): Buffer {
  for (let index = 0; index < bytes.length; index++) bytes[index] = ~(bytes[index] as number);
  return bytes;
}

function reserve(bytes: number): void {
  if (position + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, position + bytes));
  scratch.copy(larger, 0, 0, position);
  scratch = larger;
}

function writeByte(byte: number): void {
  reserve(1);
  scratch[position++] = byte;
}

function writeBytes(bytes: Uint8Array): void {
  reserve(bytes.length);
  scratch.set(bytes, position);
  position += bytes.length;
}

/**
 * UTF-8 terminated by 0x00; bytes 0x00 and 0x01 within become two bytes that keep their order. So no text's encoding
 * is a prefix of another's.
 */
function writeText(text: string): void {
  reserve(text.length * 3 + 1);
  if (text.includes('\0') || text.includes('\x01')) writeEscaped(text);
  else position += scratch.write(text, position, 'utf8');
  scratch[position++] = 0;
}

function writeEscaped(text: string): void {
  reserve(text.length * 6 + 1);
  for (const byte of Buffer.from(text, 'utf8')) {
    if (byte <= 1) scratch[position++] = 1;
    scratch[position++] = byte <= 1 ? byte + 1 : byte;
  }
}

function writeValue(value: Value, collation: Collation | undefined): void {
  const rank = rankOf(value);
  writeByte(rank);
  writeContent(rank, value, collation);
}

const endOfFields = 1;

function writeContent(rank: Rank, value: Value, collation: Collation | undefined): void {
  switch (rank) {
    case Rank.Number:
      writeNumber(value as BsonNumber);
      break;
    case Rank.String: {
      const text = typeof value === 'string' ? value : (value as BSONSymbol).value;
      writeText(collation ? collation.fold(text) : text);
      break;
    }
    case Rank.Object:
      writeDocument(value as Document, collation);
      break;
    case Rank.Array:
      for (const element of value as Value[]) writeValue(element, collation);
      writeByte(endOfFields);
      break;
    case Rank.Binary: {
      const bytes = binaryBytes(value as Binary);
      reserve(5);
      position = scratch.writeUInt32BE(bytes.length, position);
      scratch[position++] = (value as Binary).sub_type;
      writeBytes(bytes);
      break;
    }
    case Rank.ObjectId:
      writeBytes((value as ObjectId).id);
      break;
    case Rank.Boolean:
      writeByte(value ? 1 : 0);
      break;
    case Rank.Date: {
      reserve(8);
      const milliseconds = (value as Date).getTime();
      const high = Math.floor(milliseconds / 2 ** 32);
      position = scratch.writeUInt32BE(high + 2 ** 31, position);
      position = scratch.writeUInt32BE(milliseconds - high * 2 ** 32, position);
      break;
    }
    case Rank.Timestamp:
      reserve(8);
      position = scratch.writeUInt32BE((value as Timestamp).getHighBitsUnsigned(), position);
      position = scratch.writeUInt32BE((value as Timestamp).getLowBitsUnsigned(), position);
      break;
    case Rank.RegExp: {
      const { pattern, options } = regExpParts(value as BSONRegExp | RegExp);
      writeText(pattern);
      writeText(options);
      break;
    }
    case Rank.Code:
    case Rank.CodeWithScope: {
      const { code, scope } = value as Code;
      writeText(String(code));
      if (scope) writeDocument(scope as Document, collation);
      break;
    }
  }
}

/** Type before name, as documents are compared. */
function writeDocument(document: Document, collation: Collation | undefined): void {
  for (const name of fieldNames(document)) {
    const value = document[name];
    const rank = rankOf(value);
    writeByte(rank);
    writeText(name);
    writeContent(rank, value, collation);
  }
  writeByte(endOfFields);
}

/**
 * Nine bytes for every number that a double can represent: the double, rounded towards zero, in an order-preserving
 * form, and whether that is exact. Others (large longs, most decimals) are followed by their exact decimal digits.
 */
function writeNumber(value: BsonNumber): void {
  reserve(9);
  const start = position;
  const nearest = toDouble(value);
  if (Number.isNaN(nearest)) {
    scratch.fill(0, start, start + 9);
    position += 9;
    return;
  }
  const negative = isNegative(value, nearest);
  const magnitude = Math.abs(nearest);
  if (isExact(value, nearest)) {
    position = scratch.writeDoubleBE(magnitude, position);
    scratch[position++] = 0;
  } else {
    position = scratch.writeDoubleBE(towardsZero(value, magnitude), position);
    scratch[position++] = 1;
    writeDecimal(value);
  }
  if (negative) invert(scratch.subarray(start, position));
  // The sign bit is inverted, so that negative numbers come first.
  scratch[start] = (scratch[start] as number) ^ 0x80;
}

function isNegative(value: BsonNumber, nearest: number): boolean {
  return nearest < 0 || (nearest === 0 && typeof value === 'object' && compareNumbers(value, 0) < 0);
}

function isExact(value: BsonNumber, nearest: number): boolean {
  if (typeof value === 'number') return true;
  if (typeof value === 'object' && (value._bsontype === 'Int32' || value._bsontype === 'Double')) return true;
  return compareNumbers(value, nearest) === 0;
}

/** The largest double not above the number's magnitude. */
function towardsZero(value: BsonNumber, nearest: number): number {
  if (nearest === Number.POSITIVE_INFINITY) return isSpecial(value) ? nearest : Number.MAX_VALUE;
  const { digits, exponent } = toExact(value);
  const other = toExact(nearest);
  const common = Math.min(exponent, other.exponent);
  const magnitude = (digits < 0n ? -digits : digits) * 10n ** BigInt(exponent - common);
  if (other.digits * 10n ** BigInt(other.exponent - common) <= magnitude) return nearest;
  return previousDouble(nearest);
}

const view = new DataView(new ArrayBuffer(8));

function previousDouble(positive: number): number {
  view.setFloat64(0, positive);
  view.setBigUint64(0, view.getBigUint64(0) - 1n);
  return view.getFloat64(0);
}

/** Magnitude as power of ten of its first digit, then the digits: 120 is 2, "12". */
function writeDecimal(value: BsonNumber): void {
  const { digits, exponent } = toExact(value);
  const text = (digits < 0n ? -digits : digits).toString();
  reserve(3 + text.length);
  position = scratch.writeUInt16BE(text.length + exponent + 0x4000, position);
  position += scratch.write(text, position, 'latin1');
  scratch[position++] = 0;
}
