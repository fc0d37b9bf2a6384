/**
 * The layout of keys in lmdb. All numbers are big-endian, so that bytes sort as numbers do.
 *
 *     documents  [collection u32][record u64]                         -> BSON
 *     entries    [index u32][encoded fields][record u64]              -> nothing     (not unique)
 *                [index u32][encoded fields]                          -> record u64  (unique)
 *     catalog    name or number of a thing                            -> BSON
 *
 * A record id is given once and never again within a run, in order of insertion: reading the documents
 * of a collection in key order is MongoDB's natural order.
 */
export const PREFIX_BYTES = 4;
export const RECORD_ID_BYTES = 8;

/** The prefix of all keys of a collection or of an index. */
export function prefixKey(id: number): Buffer {
  const key = Buffer.allocUnsafe(PREFIX_BYTES);
  key.writeUInt32BE(id, 0);
  return key;
}

/** Writes `prefix` and `recordId` as one document key into `target` (12 bytes) and returns it. */
export function documentKey(collectionId: number, recordId: number, target = Buffer.allocUnsafe(12)): Buffer {
  target.writeUInt32BE(collectionId, 0);
  writeRecordId(target, recordId, PREFIX_BYTES);
  return target;
}

export function writeRecordId(target: Buffer, recordId: number, offset: number): void {
  target.writeUInt32BE(Math.floor(recordId / 0x100000000), offset);
  target.writeUInt32BE(recordId % 0x100000000, offset + 4);
}

/** Reads the record id at `offset`; keys from lmdb are plain byte arrays. */
export function readRecordId(bytes: Uint8Array, offset: number): number {
  const high =
    ((bytes[offset]! << 24) | (bytes[offset + 1]! << 16) | (bytes[offset + 2]! << 8) | bytes[offset + 3]!) >>> 0;
  const low =
    ((bytes[offset + 4]! << 24) | (bytes[offset + 5]! << 16) | (bytes[offset + 6]! << 8) | bytes[offset + 7]!) >>> 0;
  return high * 0x100000000 + low;
}
