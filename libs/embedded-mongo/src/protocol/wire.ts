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
/** A batch ends before the document that would exceed it, since others wait while it is read. */
export const BATCH_BYTES = 1024 * 1024;
/** The most statements in one write command. */
export const MAX_WRITE_BATCH = 100_000;

/** One received message with its parsed header. */
export interface WireMessage {
  requestId: number;
  opCode: number;
  /** The message with its header, unchanged; absent if it was compressed. */
  whole?: Buffer;
  /** The message after its header. */
  body: Buffer;
  /** The caller's compressor, which the reply also uses. 0 for none. */
  compressorId: number;
}

/** Bytes that are no MongoDB message. Their connection is closed, nothing else is affected. */
export class ProtocolError extends Error {}

/** Adds a header before `parts`, so that they can be written to a socket as one message. */
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
