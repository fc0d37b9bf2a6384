import { crc32c } from './crc32c';
import { frame, OpCode, ProtocolError, type WireMessage } from './wire';

const CHECKSUM_PRESENT = 1 << 0;
const MORE_TO_COME = 1 << 1;
const EXHAUST_ALLOWED = 1 << 16;
/** The lower half must be understood; bits of the upper half may be ignored. */
const REQUIRED_FLAGS = 0xffff;
const KNOWN_REQUIRED = CHECKSUM_PRESENT | MORE_TO_COME;
const CHECKSUM_BYTES = 4;
const SMALLEST_DOCUMENT = 5;

/** A parsed OP_MSG; all documents are still BSON. */
export interface OpMsg {
  body: Buffer;
  /** Section kind 1: documents by the name of their array in the command. */
  sequences: ReadonlyMap<string, Buffer[]>;
  /** The sender expects no reply (write concern w: 0). */
  moreToCome: boolean;
  /** The sender accepts several replies to this request. */
  exhaustAllowed: boolean;
}

/** @throws ProtocolError on anything malformed, a wrong checksum included */
export function parseOpMsg(message: WireMessage): OpMsg {
  const bytes = message.body;
  if (bytes.length < 4) throw new ProtocolError('OP_MSG without flags');
  const flags = bytes.readUInt32LE(0);
  if (flags & REQUIRED_FLAGS & ~KNOWN_REQUIRED) throw new ProtocolError(`OP_MSG with unknown flags ${flags}`);
  const end = flags & CHECKSUM_PRESENT ? verifiedEnd(message) : bytes.length;
  const { body, sequences } = readSections(bytes, end);
  return {
    body,
    sequences,
    moreToCome: (flags & MORE_TO_COME) !== 0,
    exhaustAllowed: (flags & EXHAUST_ALLOWED) !== 0,
  };
}

function verifiedEnd(message: WireMessage): number {
  const bytes = message.body;
  const end = bytes.length - CHECKSUM_BYTES;
  if (end < 4) throw new ProtocolError('OP_MSG too short for its checksum');
  // The checksum covers a header that a compressed message does not contain.
  const { whole } = message;
  if (whole && crc32c(whole.subarray(0, whole.length - CHECKSUM_BYTES)) !== bytes.readUInt32LE(end)) {
    throw new ProtocolError('OP_MSG checksum does not match contents');
  }
  return end;
}

const NO_SEQUENCES: ReadonlyMap<string, Buffer[]> = new Map();

function readSections(bytes: Buffer, end: number): Pick<OpMsg, 'body' | 'sequences'> {
  let body: Buffer | undefined;
  let sequences = NO_SEQUENCES;
  let offset = 4;
  while (offset < end) {
    const kind = bytes[offset]!;
    offset += 1;
    const length = readLength(bytes, offset, end);
    const section = bytes.subarray(offset, offset + length);
    offset += length;
    if (kind === 0) {
      if (body) throw new ProtocolError('OP_MSG with two bodies');
      body = section;
    } else if (kind === 1) {
      const { name, documents } = readSequence(section);
      if (sequences.has(name)) throw new ProtocolError(`OP_MSG with two sequences of ${name}`);
      sequences = new Map([...sequences, [name, documents]]);
    } else throw new ProtocolError(`OP_MSG with a section of kind ${kind}`);
  }
  if (!body) throw new ProtocolError('OP_MSG without a body');
  return { body, sequences };
}

function readSequence(section: Buffer): { name: string; documents: Buffer[] } {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new ProtocolError('document sequence without a name');
  const documents: Buffer[] = [];
  let offset = nameEnd + 1;
  while (offset < section.length) {
    const length = readLength(section, offset, section.length);
    documents.push(section.subarray(offset, offset + length));
    offset += length;
  }
  return { name: section.toString('latin1', 4, nameEnd), documents };
}

function readLength(bytes: Buffer, offset: number, end: number): number {
  if (offset + 4 > end) throw new ProtocolError('OP_MSG section is cut off');
  const length = bytes.readInt32LE(offset);
  if (length < SMALLEST_DOCUMENT || offset + length > end) throw new ProtocolError('OP_MSG section is out of bounds');
  return length;
}

const NO_FLAGS_BODY_SECTION = Buffer.from([0, 0, 0, 0, 0]);
const MORE_TO_COME_BODY_SECTION = Buffer.from([MORE_TO_COME, 0, 0, 0, 0]);

/** An OP_MSG reply around a BSON document given in parts. */
export function frameOpMsg(requestId: number, responseTo: number, document: Buffer[], moreToCome = false): Buffer {
  const prefix = moreToCome ? MORE_TO_COME_BODY_SECTION : NO_FLAGS_BODY_SECTION;
  return frame(OpCode.Msg, requestId, responseTo, [prefix, ...document]);
}
