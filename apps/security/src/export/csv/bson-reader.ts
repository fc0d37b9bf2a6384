const double = 1;
const text = 2;
const document = 3;
const list = 4;
const nothing = 10;
const int = 16;
const long = 18;

/** A name with its zero byte, and its last text. */
interface Known {
  bytes: Buffer;
  text: string;
  within: BsonReader;
  last: LastText;
}

/** The position of the text instead of a slice: creating a slice takes as long as decoding the text. */
interface LastText {
  bytes: Buffer;
  start: number;
  length: number;
  text: string;
}

/** Longer texts are rarely equal to those of the document before. */
const rememberedBytes = 40;

/**
 * Decodes similar documents that consist of texts, numbers and nested documents. The driver's decoder supports all
 * types and creates every name again, which takes longer than the rest of an export. This one compares names and short
 * texts with those at the same position in the document before, and reuses them.
 */
export class BsonReader {
  private readonly before: Known[] = [];

  /** @throws Error for a value of another type */
  read(bytes: Buffer, start = 0): Record<string, unknown> {
    const read: Record<string, unknown> = {};
    let at = start + 4;
    for (let place = 0; bytes[at] !== 0; place++) {
      const name = this.nameAt(bytes, at + 1, place);
      const value = at + 1 + name.bytes.length;
      switch (bytes[at]) {
        case text:
          at = value + 4 + bytes.readInt32LE(value);
          read[name.text] = textAt(bytes, value + 4, at - 1, name);
          break;
        case int:
          at = value + 4;
          read[name.text] = bytes.readInt32LE(value);
          break;
        case double:
          at = value + 8;
          read[name.text] = bytes.readDoubleLE(value);
          break;
        case document:
          at = value + bytes.readInt32LE(value);
          read[name.text] = name.within.read(bytes, value);
          break;
        case nothing:
          at = value;
          read[name.text] = null;
          break;
        default:
          throw new Error(`${name.text} is of type ${bytes[at]}, which no export has`);
      }
    }
    return read;
  }

  /**
   * Positions of the documents in the answer of `find`.
   * @param cursor `{ firstBatch: [ … ], id, ns }`
   */
  startsOf(cursor: Buffer): number[] {
    for (let at = 4; cursor[at] !== 0; ) {
      const value = cursor.indexOf(0, at + 1) + 1;
      switch (cursor[at]) {
        case list:
          return startsIn(cursor, value);
        case text:
          at = value + 4 + cursor.readInt32LE(value);
          break;
        case long:
          at = value + 8;
          break;
        default:
          throw new Error(`a cursor has a field of type ${cursor[at]}`);
      }
    }
    throw new Error('a cursor without a batch');
  }

  private nameAt(bytes: Buffer, start: number, place: number): Known {
    const known = this.before[place];
    if (known && isThere(bytes, start, known.bytes)) return known;
    const end = bytes.indexOf(0, start);
    const name = { bytes: Buffer.from(bytes.subarray(start, end + 1)), text: bytes.toString('utf8', start, end) };
    const read = { ...name, within: new BsonReader(), last: { bytes, start: 0, length: 0, text: '' } };
    this.before[place] = read;
    return read;
  }
}

function textAt(bytes: Buffer, start: number, end: number, name: Known): string {
  if (end - start > rememberedBytes) return bytes.toString('utf8', start, end);
  const { last } = name;
  if (end - start === last.length && areSame(bytes, start, last)) return last.text;
  last.bytes = bytes;
  last.start = start;
  last.length = end - start;
  last.text = bytes.toString('utf8', start, end);
  return last.text;
}

function areSame(bytes: Buffer, start: number, last: LastText): boolean {
  for (let index = 0; index < last.length; index++) {
    if (bytes[start + index] !== last.bytes[last.start + index]) return false;
  }
  return true;
}

function startsIn(list: Buffer, start: number): number[] {
  const starts: number[] = [];
  for (let at = start + 4; list[at] !== 0; ) {
    let element = at + 2;
    while (list[element - 1] !== 0) element++;
    starts.push(element);
    at = element + list.readInt32LE(element);
  }
  return starts;
}

function isThere(bytes: Buffer, start: number, name: Buffer): boolean {
  for (let index = 0; index < name.length; index++) {
    if (bytes[start + index] !== name[index]) return false;
  }
  return true;
}
