import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  name: string;
  content: Buffer;
  /** Compressed by default. */
  isStored?: boolean;
  /** Sets the encryption flag without encrypting. */
  isEncrypted?: boolean;
  /** The size in the index, if it is wrong. */
  claimedBytes?: number;
}

const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};

const wide = 0xff_ff_ff_ff;

/**
 * A zip archive like those of runners. Source: APPNOTE 6.3.10, 4.3. @param is64Bit whether sizes and offsets have 64
 * bits
 */
export function zipOf(entries: ZipEntry[], { is64Bit = false } = {}): Buffer {
  const local: Buffer[] = [];
  const index: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { name, content, isStored = false, isEncrypted = false } = entry;
    const packed = isStored ? content : deflateRawSync(content);
    const size = entry.claimedBytes ?? content.length;
    const flags = u16(0x800 | (isEncrypted ? 1 : 0));
    const method = u16(isStored ? 0 : 8);
    const time = u32(0x00_21_00_00);
    const facts = [flags, method, time, u32(crc32(content))];
    const path = Buffer.from(name);
    const header = Buffer.concat([
      u32(0x04_03_4b_50),
      u16(45),
      ...facts,
      u32(packed.length),
      u32(Math.min(size, wide)),
      u16(path.length),
      u16(0),
      path,
    ]);
    const extra = is64Bit
      ? Buffer.concat([u16(1), u16(24), u64(size), u64(packed.length), u64(offset)])
      : Buffer.alloc(0);
    index.push(
      u32(0x02_01_4b_50),
      u16(45),
      u16(45),
      ...facts,
      u32(is64Bit ? wide : packed.length),
      u32(is64Bit ? wide : size),
      u16(path.length),
      u16(extra.length),
      u16(0),
      u16(0),
      u16(0),
      u32(0),
      u32(is64Bit ? wide : offset),
      path,
      extra,
    );
    local.push(header, packed);
    offset += header.length + packed.length;
  }
  const directory = Buffer.concat(index);
  const count = entries.length;
  const end64 = Buffer.concat([
    ...[u32(0x06_06_4b_50), u64(44), u16(45), u16(45), u32(0), u32(0)],
    ...[u64(count), u64(count), u64(directory.length), u64(offset)],
    ...[u32(0x07_06_4b_50), u32(0), u64(offset + directory.length), u32(1)],
  ]);
  const few = Math.min(count, 0xff_ff);
  const end = Buffer.concat([
    ...[u32(0x06_05_4b_50), u16(0), u16(0), u16(few), u16(few)],
    ...[u32(directory.length), u32(is64Bit ? wide : offset), u16(0)],
  ]);
  return Buffer.concat([...local, directory, ...(is64Bit ? [end64] : []), end]);
}
