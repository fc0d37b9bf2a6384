import { deflateSync, inflateSync } from 'node:zlib';
import { compress as compressSnappy, uncompress } from 'snappyjs';
import { frame, HEADER_BYTES, OpCode, ProtocolError, type WireMessage } from './wire';

interface Compressor {
  id: number;
  compress(bytes: Buffer): Buffer;
  /** @throws when the bytes are not of this compressor or longer than `size` */
  decompress(bytes: Buffer, size: number): Buffer;
}

const noop: Compressor = { id: 0, compress: (bytes) => bytes, decompress: (bytes) => bytes };

const zlib: Compressor = {
  id: 2,
  compress: (bytes) => deflateSync(bytes),
  // Limited by the announced size, so that a small message cannot expand.
  decompress: (bytes, size) => inflateSync(bytes, { maxOutputLength: Math.max(size, 1) }),
};

const snappy: Compressor = {
  id: 1,
  compress: (bytes) => compressSnappy(bytes),
  decompress: (bytes, size) => uncompress(bytes, size),
};

const byName = new Map<string, Compressor>([
  ['snappy', snappy],
  ['zlib', zlib],
]);
const byId = new Map<number, Compressor>([noop, snappy, zlib].map((compressor) => [compressor.id, compressor]));

/** The caller's compressors that this server supports, in the caller's order. */
export function agreedCompressors(offered: readonly string[]): string[] {
  return offered.filter((name) => byName.has(name));
}

/**
 * Unpacks an OP_COMPRESSED message.
 * @param maxBytes it may have unpacked
 * @throws ProtocolError on an unknown compressor, a wrong size or broken bytes
 */
export function decompress(message: WireMessage, maxBytes: number): WireMessage {
  const { body } = message;
  if (body.length < 9) throw new ProtocolError('OP_COMPRESSED is cut off');
  const opCode = body.readInt32LE(0);
  const size = body.readInt32LE(4);
  const compressor = byId.get(body[8]!);
  if (!compressor) throw new ProtocolError(`unknown compressor ${body[8]}`);
  if (opCode === OpCode.Compressed) throw new ProtocolError('OP_COMPRESSED within OP_COMPRESSED');
  if (size < 0 || size > maxBytes) throw new ProtocolError('OP_COMPRESSED is too large');
  const bytes = inflate(compressor, body.subarray(9), size);
  if (bytes.length !== size) throw new ProtocolError('OP_COMPRESSED has another size than it says');
  return { requestId: message.requestId, opCode, body: bytes, compressorId: compressor.id };
}

function inflate(compressor: Compressor, bytes: Buffer, size: number): Buffer {
  try {
    return compressor.decompress(bytes, size);
  } catch (error) {
    throw new ProtocolError(`OP_COMPRESSED cannot be unpacked: ${(error as Error).message}`);
  }
}

/** Compresses a framed message with the compressor of its request. */
export function compress(message: Buffer, compressorId: number): Buffer {
  const compressor = byId.get(compressorId)!;
  const body = message.subarray(HEADER_BYTES);
  const head = Buffer.allocUnsafe(9);
  head.writeInt32LE(message.readInt32LE(12), 0);
  head.writeInt32LE(body.length, 4);
  head[8] = compressorId;
  return frame(OpCode.Compressed, message.readInt32LE(4), message.readInt32LE(8), [head, compressor.compress(body)]);
}
