import { readName } from './field-name';
import { invalidBson, nameEnd, valueSize } from './value-size';

/**
 * The same document with only those of its top level fields, or with all but those. Values are copied as they are: a
 * text of megabytes is not read for it.
 * @param bytes a whole and valid document
 */
export function copyFields(bytes: Buffer, names: ReadonlySet<string>, keeps: boolean): Buffer {
  const copy = Buffer.allocUnsafe(bytes.length);
  let length = 4;
  let position = 4;
  for (let type = bytes[position]; type !== 0; type = bytes[position]) {
    if (type === undefined) throw invalidBson('document without end');
    const start = position;
    const value = nameEnd(bytes, start + 1);
    position = value + valueSize(bytes, value, type);
    if (names.has(readName(bytes, start + 1, value - 1)) === keeps) length += bytes.copy(copy, length, start, position);
  }
  copy[length++] = 0;
  copy.writeInt32LE(length, 0);
  return length * 2 > bytes.length ? copy.subarray(0, length) : Buffer.from(copy.subarray(0, length));
}
