import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import { MongoError } from '../errors';
import { newDocument, setField } from './document';
import { FarDate } from './far-date';
import { readName } from './field-name';
import { readText } from './text';
import type { Document, Value } from './value';
import { invalidBson, nameEnd, valueSize } from './value-size';

/** MongoDB's limit on documents within documents. */
export const maxDepth = 200;

/**
 * Reads a document from its BSON bytes, numbers keeping their types and fields their order.
 * @throws InvalidBSON (22) for bytes that are no document, Overflow (15) for one nested too deep
 */
export function decodeDocument(bytes: Uint8Array): Document {
  return new Reader(bytes).document(undefined);
}

/** Like `decodeDocument`, for only those top-level fields: others are skipped unread. */
export function decodeFields(bytes: Uint8Array, names: ReadonlySet<string>): Document {
  return new Reader(bytes).document(names);
}

/** Reads the value of that type at `start`. */
export function decodeValue(bytes: Uint8Array, start: number, type: number): Value {
  return new Reader(bytes, start).value(type);
}

class Reader {
  private readonly bytes: Buffer;
  private depth = 0;

  constructor(
    bytes: Uint8Array,
    private position = 0,
  ) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  document(names: ReadonlySet<string> | undefined): Document {
    const end = this.open();
    const document = newDocument();
    let wanted = names?.size ?? -1;
    while (wanted !== 0) {
      const type = this.byte();
      if (type === 0) {
        this.close(end);
        return document;
      }
      const name = this.name();
      if (names === undefined || names.has(name)) {
        setField(document, name, this.value(type));
        wanted--;
      } else {
        this.skip(type);
      }
    }
    return document;
  }

  private array(): Value[] {
    const end = this.open();
    const elements: Value[] = [];
    for (let type = this.byte(); type !== 0; type = this.byte()) {
      this.skipName();
      elements.push(this.value(type));
    }
    this.close(end);
    return elements;
  }

  private open(): number {
    const start = this.position;
    const size = this.int32();
    if (size < 5 || start + size > this.bytes.length) throw invalidBson('length of a document');
    if (++this.depth > maxDepth)
      throw new MongoError('Overflow', `BSON nesting depth exceeds the limit of ${maxDepth}`);
    return start + size;
  }

  private close(end: number): void {
    if (this.position !== end) throw invalidBson('document ends early or late');
    this.depth--;
  }

  value(type: number): Value {
    switch (type) {
      case 0x01:
        return new Double(this.bytes.readDoubleLE(this.advance(8)));
      case 0x02:
        return this.text();
      case 0x03:
        return this.document(undefined);
      case 0x04:
        return this.array();
      case 0x05:
        return this.binary();
      case 0x06:
      case 0x0a:
        return null;
      case 0x07:
        return new ObjectId(this.copy(12));
      case 0x08:
        return this.boolean();
      case 0x09:
        return this.date();
      case 0x0b:
        return this.regularExpression();
      case 0x0c:
        return this.pointer();
      case 0x0d:
        return new Code(this.text());
      case 0x0e:
        return new BSONSymbol(this.text());
      case 0x0f:
        return this.scopedCode();
      case 0x10:
        return new Int32(this.int32());
      case 0x11:
        return new Timestamp(this.long().toUnsigned());
      case 0x12:
        return this.long();
      case 0x13:
        return new Decimal128(this.copy(16));
      case 0x7f:
        return new MaxKey();
      case 0xff:
        return new MinKey();
      default:
        throw invalidBson(`unknown type ${type}`);
    }
  }

  private skip(type: number): void {
    this.advance(valueSize(this.bytes, this.position, type));
  }

  /** Advances by `size` and returns the previous position. */
  private advance(size: number): number {
    const start = this.position;
    if (size < 0 || start + size > this.bytes.length) throw invalidBson('value reaches beyond the end');
    this.position = start + size;
    return start;
  }

  private byte(): number {
    return this.bytes[this.advance(1)] as number;
  }

  private int32(): number {
    return this.bytes.readInt32LE(this.advance(4));
  }

  private long(): Long {
    const start = this.advance(8);
    return new Long(this.bytes.readInt32LE(start), this.bytes.readInt32LE(start + 4));
  }

  private date(): Date {
    const milliseconds = this.long();
    const date = new Date(milliseconds.toNumber());
    return Number.isNaN(date.getTime()) ? new FarDate(milliseconds) : date;
  }

  // Copied, because the bytes may belong to a page of the store that is reused later.
  private copy(size: number): Buffer {
    const start = this.advance(size);
    return Buffer.from(this.bytes.subarray(start, start + size));
  }

  private boolean(): boolean {
    const byte = this.byte();
    if (byte > 1) throw invalidBson('boolean');
    return byte === 1;
  }

  private name(): string {
    const end = this.bytes.indexOf(0, this.position);
    if (end < 0) throw invalidBson('name without end');
    const name = readName(this.bytes, this.position, end);
    this.position = end + 1;
    return name;
  }

  private skipName(): void {
    this.position = nameEnd(this.bytes, this.position);
  }

  private text(): string {
    const length = this.int32();
    if (length < 1) throw invalidBson('length of a string');
    const start = this.advance(length);
    if (this.bytes[start + length - 1] !== 0) throw invalidBson('string without end');
    return readText(this.bytes, start, start + length - 1);
  }

  private binary(): Binary {
    let length = this.int32();
    const subtype = this.byte();
    if (length < 0) throw invalidBson('length of binary data');
    if (subtype === Binary.SUBTYPE_BYTE_ARRAY) {
      // The old subtype contains its length twice.
      const inner = this.int32();
      if (inner !== length - 4) throw invalidBson('length of binary data');
      length = inner;
    }
    return new Binary(this.copy(length), subtype);
  }

  private regularExpression(): BSONRegExp {
    const pattern = this.name();
    const options = this.name();
    if (!/^[ilmsux]*$/.test(options)) throw invalidBson(`options of a regular expression: ${options}`);
    return new BSONRegExp(pattern, options);
  }

  private pointer(): Document {
    const document = newDocument();
    setField(document, '$ref', this.text());
    setField(document, '$id', new ObjectId(this.copy(12)));
    return document;
  }

  private scopedCode(): Code {
    const end = this.position + this.int32();
    const code = new Code(this.text(), this.document(undefined));
    if (this.position !== end) throw invalidBson('code with scope');
    return code;
  }
}
