import { connect, type Socket } from 'node:net';
import { type Document, deserialize, serialize } from 'bson';

const HEADER_BYTES = 16;

export interface RawReply {
  responseTo: number;
  opCode: number;
  /** The message after its header. */
  body: Buffer;
}

/** Implements the wire protocol byte by byte, for messages that drivers would not send. */
export class WireClient {
  private buffered = Buffer.alloc(0);
  private readonly replies: RawReply[] = [];
  private wake: () => void = () => undefined;
  isClosed = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.buffered = Buffer.concat([this.buffered, chunk]);
      this.cut();
      this.wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
      this.wake();
    });
  }

  /** @param uri of a server on a unix socket */
  static async connect(uri: string): Promise<WireClient> {
    const path = decodeURIComponent(new URL(uri).hostname);
    const socket = connect(path);
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new WireClient(socket);
  }

  private cut(): void {
    while (this.buffered.length >= HEADER_BYTES && this.buffered.length >= this.buffered.readInt32LE(0)) {
      const length = this.buffered.readInt32LE(0);
      this.replies.push({
        responseTo: this.buffered.readInt32LE(8),
        opCode: this.buffered.readInt32LE(12),
        body: Buffer.from(this.buffered.subarray(HEADER_BYTES, length)),
      });
      this.buffered = this.buffered.subarray(length);
    }
  }

  send(bytes: Buffer): void {
    this.socket.write(bytes);
  }

  /** The next reply, or undefined when the server closed the connection instead. */
  async receive(): Promise<RawReply | undefined> {
    while (this.replies.length === 0 && !this.isClosed) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.replies.shift();
  }

  /** Sends a command as OP_MSG and reads its reply. */
  async command(command: Document): Promise<Document> {
    this.send(message(2013, opMsgBody(command)));
    const reply = await this.receive();
    if (!reply) throw new Error('the server closed the connection');
    return documentOf(reply);
  }

  close(): void {
    this.socket.destroy();
  }
}

let lastRequest = 0;

export function message(opCode: number, body: Buffer, requestId = ++lastRequest): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeInt32LE(HEADER_BYTES + body.length, 0);
  header.writeInt32LE(requestId, 4);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, body]);
}

export function opMsgBody(command: Document, flags = 0, ...sections: Buffer[]): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32LE(flags, 0);
  return Buffer.concat([head, serialize(command), ...sections]);
}

/** Section kind 1: documents beside the command. */
export function sequence(name: string, documents: Document[]): Buffer {
  const content = Buffer.concat([
    Buffer.from(`${name}\0`),
    ...documents.map((document) => Buffer.from(serialize(document))),
  ]);
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeInt32LE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}

/** The document of an OP_MSG or OP_REPLY. */
export function documentOf({ opCode, body }: RawReply): Document {
  return deserialize(body.subarray(opCode === 1 ? 20 : 5));
}
