import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

/* Archives small enough to be in memory. Source: APPNOTE 6.3.10, 4.3. */

const fields = (...sizesAndValues) => {
  const bytes = Buffer.alloc(sizesAndValues.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of sizesAndValues) at = bytes.writeUIntLE(value, at, size);
  return bytes;
};
const timeOfAll = 0x21_00_00;

/** @param files [{ name, content }] with `/` between folders */
export function zip(files) {
  const parts = [];
  const index = [];
  let offset = 0;
  for (const { name, content } of files) {
    const packed = deflateRawSync(content);
    const called = Buffer.from(name);
    const facts = [
      [2, 20],
      [2, 0x800],
      [2, 8],
      [4, timeOfAll],
      [4, crc32(content)],
      [4, packed.length],
      [4, content.length],
    ];
    const header = fields([4, 0x04_03_4b_50], ...facts, [2, called.length], [2, 0]);
    const place = [
      [2, called.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    ];
    index.push(fields([4, 0x02_01_4b_50], [2, 20], ...facts, ...place), called);
    parts.push(header, called, packed);
    offset += header.length + called.length + packed.length;
  }
  const directory = Buffer.concat(index);
  const counts = [
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
  ];
  const end = fields([4, 0x06_05_4b_50], ...counts, [4, directory.length], [4, offset], [2, 0]);
  return Buffer.concat([...parts, directory, end]);
}

/** Of archives made by {@link zip}. @throws Error for a name that leads elsewhere */
export function unzip(bytes, folder) {
  const count = bytes.readUInt16LE(bytes.length - 12);
  let at = bytes.readUInt32LE(bytes.length - 6);
  for (let number = 0; number < count; number += 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place));
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const packedLength = bytes.readUInt32LE(at + 20);
    const local = bytes.readUInt32LE(at + 42);
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const file = path.join(folder, name);
    if (path.relative(folder, file).startsWith('..')) throw new Error(`${name} leads elsewhere`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, inflateRawSync(bytes.subarray(begin, begin + packedLength)));
    at += 46 + nameLength + extraLength + commentLength;
  }
}
