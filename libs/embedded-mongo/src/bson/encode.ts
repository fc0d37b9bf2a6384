import type { Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Double, Int32, Long, ObjectId } from 'bson';
import { MongoError } from '../errors';
import { binaryBytes, regExpParts } from './compare';
import { fieldNames } from './document';
import { FarDate } from './far-date';
import { classOf, type Document, type Value } from './value';

/**
 * Writes a document as BSON bytes, fields in their order. Undefined is written as null.
 * @throws BadValue (2) for field names with a zero byte
 */
export function encodeDocument(document: Document): Buffer {
  position = 0;
  writeDocument(document);
  const bytes = Buffer.from(scratch.subarray(0, position));
  // One huge document must not occupy its memory forever.
  if (scratch.length > keptScratchBytes) scratch = Buffer.allocUnsafe(keptScratchBytes);
  return bytes;
}

const keptScratchBytes = 1 << 20;

// One scratch buffer serves all encoding: it is synchronous and copies its result out.
let scratch = Buffer.allocUnsafe(1 << 14);
let position = 0;

function reserve(bytes: number): void {
  if (position + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, position + bytes));
  scratch.copy(larger, 0, 0, position);
  scratch = larger;
}

function writeDocument(document: Document): void {
  const start = open();
  for (const name of fieldNames(document)) writeElement(name, document[name]);
  close(start);
}

function writeArray(elements: Value[]): void {
  const start = open();
  for (let index = 0; index < elements.length; index++) writeElement(String(index), elements[index]);
  close(start);
}

function open(): number {
  reserve(5);
  position += 4;
  return position - 4;
}

function close(start: number): void {
  reserve(1);
  scratch[position++] = 0;
  scratch.writeInt32LE(position - start, start);
}

/** The type precedes the name but is only known after the value is read: its byte is written last. */
function writeElement(name: string, value: Value): void {
  reserve(name.length * 3 + 2 + 16);
  const type = position++;
  writeCString(name);
  // Two statements, since writing the value may replace `scratch`.
  const code = writeValue(value);
  scratch[type] = code;
}

function writeCString(text: string): void {
  reserve(text.length * 3 + 1);
  if (text.includes('\0')) throw new MongoError('BadValue', 'field names and patterns cannot hold a zero byte');
  if (!writeAscii(text)) position += scratch.write(text, position, 'utf8');
  scratch[position++] = 0;
}

/** Short plain text is written faster here than by a native call. */
function writeAscii(text: string): boolean {
  const length = text.length;
  if (length > 24) return false;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return false;
    scratch[position + index] = unit;
  }
  position += length;
  return true;
}

/** Writes the value's content and returns its type. */
function writeValue(value: Value): number {
  switch (typeof value) {
    case 'string':
      return writeText(value, 0x02);
    case 'number':
      return Number.isInteger(value) && value === (value | 0) && !Object.is(value, -0)
        ? writeInt32(value)
        : writeDouble(value);
    case 'bigint':
      return writeBigInt(value, 0x12);
    case 'boolean':
      scratch[position++] = value ? 1 : 0;
      return 0x08;
    case 'undefined':
      return 0x0a;
  }
  if (value === null) return 0x0a;
  if (Array.isArray(value)) {
    writeArray(value);
    return 0x04;
  }
  const bsonClass = classOf(value);
  if (bsonClass !== undefined) return writeClass(bsonClass, value);
  if (value instanceof Date) return writeDate(value);
  if (value instanceof RegExp) return writeRegExp(value);
  writeDocument(value as Document);
  return 0x03;
}

function writeClass(bsonClass: string, value: object): number {
  switch (bsonClass) {
    case 'Int32':
      return writeInt32((value as Int32).value);
    case 'Double':
      return writeDouble((value as Double).value);
    case 'Long':
      return writeLong(value as Long, 0x12);
    case 'Timestamp':
      return writeLong(value as Long, 0x11);
    case 'Decimal128':
      return writeBytes((value as Decimal128).bytes, 0x13);
    case 'ObjectId':
    case 'ObjectID':
      return writeBytes((value as ObjectId).id, 0x07);
    case 'Binary':
      return writeBinary(value as Binary);
    case 'BSONRegExp':
      return writeRegExp(value as BSONRegExp);
    case 'BSONSymbol':
      return writeText((value as BSONSymbol).value, 0x0e);
    case 'Code':
      return writeCode(value as Code);
    case 'DBRef': {
      const { $ref, $id, $db, ...fields } = (value as DBRef).toJSON() as unknown as Document;
      writeDocument({ $ref, $id, ...($db ? { $db } : {}), ...fields });
      return 0x03;
    }
    case 'MinKey':
      return 0xff;
    case 'MaxKey':
      return 0x7f;
    default:
      throw new MongoError('BadValue', `no BSON type for ${bsonClass}`);
  }
}

function writeDate(date: Date): number {
  if (date instanceof FarDate) return writeLong(date.milliseconds, 0x09);
  if (Number.isNaN(date.getTime())) throw new MongoError('BadValue', 'invalid date');
  return writeBigInt(BigInt(date.getTime()), 0x09);
}

function writeInt32(value: number): number {
  position = scratch.writeInt32LE(value, position);
  return 0x10;
}

function writeDouble(value: number): number {
  position = scratch.writeDoubleLE(value, position);
  return 0x01;
}

function writeLong(value: Long, type: number): number {
  position = scratch.writeInt32LE(value.low, position);
  position = scratch.writeInt32LE(value.high, position);
  return type;
}

function writeBigInt(value: bigint, type: number): number {
  position = scratch.writeBigInt64LE(value, position);
  return type;
}

function writeBytes(bytes: Uint8Array, type: number): number {
  reserve(bytes.length);
  scratch.set(bytes, position);
  position += bytes.length;
  return type;
}

function writeText(text: string, type: number): number {
  reserve(text.length * 3 + 5);
  const start = position;
  position += 4;
  if (!writeAscii(text)) position += scratch.write(text, position, 'utf8');
  scratch[position++] = 0;
  scratch.writeInt32LE(position - start - 4, start);
  return type;
}

function writeBinary(binary: Binary): number {
  const bytes = binaryBytes(binary);
  const isOld = binary.sub_type === 2;
  reserve(9 + bytes.length);
  position = scratch.writeInt32LE(bytes.length + (isOld ? 4 : 0), position);
  scratch[position++] = binary.sub_type;
  if (isOld) position = scratch.writeInt32LE(bytes.length, position);
  return writeBytes(bytes, 0x05);
}

function writeRegExp(value: BSONRegExp | RegExp): number {
  const { pattern, options } = regExpParts(value);
  writeCString(pattern);
  writeCString(options);
  return 0x0b;
}

function writeCode({ code, scope }: Code): number {
  if (!scope) return writeText(String(code), 0x0d);
  reserve(4);
  const start = position;
  position += 4;
  writeText(String(code), 0x0f);
  writeDocument(scope as Document);
  scratch.writeInt32LE(position - start, start);
  return 0x0f;
}
