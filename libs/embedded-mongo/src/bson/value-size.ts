import { MongoError } from '../errors';

export const invalidBson = (what: string): MongoError => new MongoError('InvalidBSON', `invalid BSON: ${what}`);

/** Reads the little-endian int32 at `position`; beyond the end, zeros. */
export function readInt32(bytes: Uint8Array, position: number): number {
  return bytes[position]! | (bytes[position + 1]! << 8) | (bytes[position + 2]! << 16) | (bytes[position + 3]! << 24);
}

/**
 * The number of bytes of a value of this type at `start`. Reads no more than its length.
 * @throws InvalidBSON (22) for unknown types and impossible lengths
 */
export function valueSize(bytes: Uint8Array, start: number, type: number): number {
  switch (type) {
    case 0x01:
    case 0x09:
    case 0x11:
    case 0x12:
      return 8;
    case 0x02:
    case 0x0d:
    case 0x0e:
      return 4 + lengthAt(bytes, start, 1);
    case 0x03:
    case 0x04:
    case 0x0f:
      return lengthAt(bytes, start, 5);
    case 0x05:
      return 5 + lengthAt(bytes, start, 0);
    case 0x06:
    case 0x0a:
    case 0x7f:
    case 0xff:
      return 0;
    case 0x07:
      return 12;
    case 0x08:
      return 1;
    case 0x0b:
      return nameEnd(bytes, nameEnd(bytes, start)) - start;
    case 0x0c:
      return 4 + lengthAt(bytes, start, 1) + 12;
    case 0x10:
      return 4;
    case 0x13:
      return 16;
    default:
      throw invalidBson(`unknown type ${type}`);
  }
}

function lengthAt(bytes: Uint8Array, start: number, least: number): number {
  const length = readInt32(bytes, start);
  if (length < least) throw invalidBson('length of a value');
  return length;
}

/** The position after the name at `start`. */
export function nameEnd(bytes: Uint8Array, start: number): number {
  let position = start;
  while (bytes[position] !== 0) {
    if (position >= bytes.length) throw invalidBson('name without end');
    position++;
  }
  return position + 1;
}
