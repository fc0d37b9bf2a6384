import { nameEnd, valueSize } from './value-size';

/** BSON type numbers that are recognised without decoding. */
export const BsonType = {
  Double: 0x01,
  String: 0x02,
  Array: 0x04,
  Undefined: 0x06,
  ObjectId: 0x07,
  Boolean: 0x08,
  Date: 0x09,
  Null: 0x0a,
  Symbol: 0x0e,
  Int32: 0x10,
  Long: 0x12,
  Decimal128: 0x13,
  /** Not a BSON type: the field is missing. */
  Missing: 0,
} as const;

/** Finds some top level fields in the bytes of a document, without reading the others. */
export class FieldFinder {
  /** By index in `names`: the type of the last found field, `BsonType.Missing` if there is none. */
  readonly types: Uint8Array;
  /** The start of its value. */
  readonly starts: Uint32Array;
  private readonly encoded: Buffer[];

  constructor(names: readonly string[]) {
    this.encoded = names.map((name) => Buffer.from(`${name}\0`));
    this.types = new Uint8Array(names.length);
    this.starts = new Uint32Array(names.length);
  }

  /** @param bytes a whole and valid document */
  find(bytes: Uint8Array): void {
    this.types.fill(BsonType.Missing);
    let left = this.encoded.length;
    let position = 4;
    while (left > 0) {
      const type = bytes[position++]!;
      if (type === 0) return;
      const place = this.placeOf(bytes, position);
      if (place < 0) position = nameEnd(bytes, position);
      else {
        position += this.encoded[place]!.length;
        this.types[place] = type;
        this.starts[place] = position;
        left--;
      }
      position += valueSize(bytes, position, type);
    }
  }

  private placeOf(bytes: Uint8Array, position: number): number {
    for (let place = 0; place < this.encoded.length; place++) {
      const name = this.encoded[place]!;
      if (bytes[position] === name[0] && isAt(bytes, position, name)) return place;
    }
    return -1;
  }
}

/** Whether these bytes are at that position. */
export function isAt(bytes: Uint8Array, position: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index++) {
    if (bytes[position + index] !== wanted[index]) return false;
  }
  return true;
}
