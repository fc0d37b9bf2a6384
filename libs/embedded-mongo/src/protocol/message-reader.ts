import { HEADER_BYTES, ProtocolError, type WireMessage } from './wire';

/**
 * Splits the bytes of one connection into messages: several may arrive in one chunk, and one in many. Chunks are
 * stored unchanged and joined once per message, so that a slow sender causes no repeated copying.
 */
export class MessageReader {
  private chunks: Buffer[] = [];
  private buffered = 0;
  private expected = 0;

  constructor(private readonly maxMessageBytes: () => number) {}

  /** @throws ProtocolError when the bytes cannot be a message */
  push(chunk: Buffer): WireMessage[] {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    const messages: WireMessage[] = [];
    for (let message = this.take(); message; message = this.take()) messages.push(message);
    return messages;
  }

  private take(): WireMessage | undefined {
    if (this.expected === 0) {
      if (this.buffered < HEADER_BYTES) return undefined;
      this.expected = this.checkedLength();
    }
    if (this.buffered < this.expected) return undefined;
    const bytes = this.joined();
    const isAll = bytes.length === this.expected;
    const whole = isAll ? bytes : bytes.subarray(0, this.expected);
    this.chunks = isAll ? [] : [bytes.subarray(this.expected)];
    this.buffered -= whole.length;
    this.expected = 0;
    return {
      requestId: whole.readInt32LE(4),
      opCode: whole.readInt32LE(12),
      whole,
      body: whole.subarray(HEADER_BYTES),
      compressorId: 0,
    };
  }

  private checkedLength(): number {
    const length = this.joined().readInt32LE(0);
    if (length < HEADER_BYTES || length > this.maxMessageBytes()) {
      throw new ProtocolError(`message length ${length} is out of bounds`);
    }
    return length;
  }

  private joined(): Buffer {
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks, this.buffered)];
    return this.chunks[0]!;
  }
}
