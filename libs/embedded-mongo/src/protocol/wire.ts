/**
 * Numbers of the MongoDB wire protocol.
 * @see https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
 */
export const OpCode = {
  Reply: 1,
  Query: 2004,
  Compressed: 2012,
  Msg: 2013,
} as const;

export const HEADER_BYTES = 16;

/** The largest message in either direction, header included. */
export const MAX_MESSAGE_BYTES = 48_000_000;
/** The largest message before authentication. */
export const MAX_UNKNOWN_MESSAGE_BYTES = 64 * 1024;
/** The largest document a caller may store. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;
/** A batch ends with the document before the one that would exceed it: what a caller reads at once, others wait for. */
export const BATCH_BYTES = 1024 * 1024;
/** The most statements in one write command. */
export const MAX_WRITE_BATCH = 100_000;

/** One message as it came over the wire, its header taken apart. */
export interface WireMessage {
  requestId: number;
  opCode: number;
  /** The message with its header, as it came; absent when it came compressed. */
  whole?: Buffer;
  /** The message after its header. */
  body: Buffer;
  /** The compressor the caller used; the reply uses the same. 0 when none. */
  compressorId: number;
}

/** Bytes that are no MongoDB message. The connection they came on is closed, nothing else is hurt. */
export class ProtocolError extends Error {}

/** Puts a header before `parts`, so that they can be written to a socket as one message. */
export function frame(opCode: number, requestId: number, responseTo: number, parts: Buffer[]): Buffer {
  let length = HEADER_BYTES;
  for (const part of parts) length += part.length;
  const message = Buffer.allocUnsafe(length);
  message.writeInt32LE(length, 0);
  message.writeInt32LE(requestId, 4);
  message.writeInt32LE(responseTo, 8);
  message.writeInt32LE(opCode, 12);
  let offset = HEADER_BYTES;
  for (const part of parts) offset += part.copy(message, offset);
  return message;
}
