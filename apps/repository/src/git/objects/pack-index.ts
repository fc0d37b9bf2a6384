import { type FileHandle, open } from 'node:fs/promises';
import { GitError } from '../process/errors';

/**
 * Version 2 of the format: a magic number of four bytes, the version, and a table with the number of ids up to each
 * first byte.
 */
const HEAD_BYTES = 8;
const FANOUT_BYTES = 256 * 4;
const ID_BYTES = 20;
const MARK = Buffer.from('ff744f6300000002', 'hex');

/**
 * Looks up ids in the index of a pack without git: for each first byte it reads the ids of that byte, a 256th of the
 * file.
 * @param ids in hex, ascending
 * @returns the first id that is not in the pack; null if all are
 */
export async function missingFromPack(file: string, ids: readonly string[]): Promise<string | null> {
  const handle = await open(file);
  try {
    const head = await read(handle, 0, HEAD_BYTES + FANOUT_BYTES);
    if (!head.subarray(0, HEAD_BYTES).equals(MARK)) throw new GitError('git_failed', '', 'an index of another version');
    const upTo = (first: number): number => (first < 0 ? 0 : head.readUInt32BE(HEAD_BYTES + first * 4));
    let known: { first: number; bucket: Buffer } = { first: -1, bucket: Buffer.alloc(0) };
    for (const id of ids) {
      const bytes = Buffer.from(id, 'hex');
      const first = bytes[0] as number;
      if (known.first !== first) {
        const from = upTo(first - 1);
        const at = HEAD_BYTES + FANOUT_BYTES + from * ID_BYTES;
        known = { first, bucket: await read(handle, at, (upTo(first) - from) * ID_BYTES) };
      }
      if (!has(known.bucket, bytes)) return id;
    }
    return null;
  } finally {
    await handle.close();
  }
}

async function read(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead !== length) throw new GitError('git_failed', '', 'an index of a pack that ends early');
  return buffer;
}

/** @param bucket concatenated ids, ascending */
function has(bucket: Buffer, id: Buffer): boolean {
  let low = 0;
  let high = bucket.length / ID_BYTES;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = bucket.compare(id, 0, ID_BYTES, middle * ID_BYTES, (middle + 1) * ID_BYTES);
    if (order === 0) return true;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return false;
}
