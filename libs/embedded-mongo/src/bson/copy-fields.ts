import { readName } from './field-name';
import { invalidBson, nameEnd, valueSize } from './value-size';

/** A name with the zero behind it, and whether the field is copied. */
interface Known {
  name: Buffer;
  isKept: boolean;
}

/** Node creates a view of the bytes for each copy, which takes longer than copying these one by one. */
const shortBytes = 64;

/** Names beyond it are not remembered by their place: a document may have thousands of fields. */
const remembered = 256;

/**
 * Creates a function that copies a document with only the named top-level fields, or without them. Values are copied as
 * bytes and not read.
 * @returns accepts a complete and valid document
 */
export function fieldCopier(names: ReadonlySet<string>, keeps: boolean): (bytes: Buffer) => Buffer {
  // Documents of a collection mostly have the same fields in the same order: a name is compared with the one at its place in
  // the previous document, and read only if it differs.
  const before: Known[] = [];
  const knownAt = (bytes: Buffer, start: number, place: number): Known => {
    const known = before[place];
    if (known && isThere(bytes, start, known.name)) return known;
    const end = nameEnd(bytes, start);
    const read = {
      name: Buffer.from(bytes.subarray(start, end)),
      isKept: names.has(readName(bytes, start, end - 1)) === keeps,
    };
    if (place < remembered) before[place] = read;
    return read;
  };
  return (bytes) => {
    const copy = Buffer.allocUnsafe(bytes.length);
    let length = 4;
    // Fields beside each other are copied together.
    let from = 4;
    let position = 4;
    for (let place = 0; bytes[position] !== 0; place++) {
      const start = position;
      const type = bytes[start];
      if (type === undefined) throw invalidBson('document without end');
      const { name, isKept } = knownAt(bytes, start + 1, place);
      const value = start + 1 + name.length;
      position = value + valueSize(bytes, value, type);
      if (isKept) continue;
      if (from < start) length += copyRange(bytes, from, start, copy, length);
      from = position;
    }
    if (from < position) length += copyRange(bytes, from, position, copy, length);
    copy[length++] = 0;
    copy.writeInt32LE(length, 0);
    return length * 2 > bytes.length ? copy.subarray(0, length) : Buffer.from(copy.subarray(0, length));
  };
}

/** @returns bytes copied */
function copyRange(bytes: Buffer, from: number, to: number, copy: Buffer, at: number): number {
  if (to - from > shortBytes) return bytes.copy(copy, at, from, to);
  for (let index = from; index < to; index++) copy[at + index - from] = bytes[index]!;
  return to - from;
}

function isThere(bytes: Buffer, start: number, name: Buffer): boolean {
  for (let index = 0; index < name.length; index++) {
    if (bytes[start + index] !== name[index]) return false;
  }
  return true;
}
