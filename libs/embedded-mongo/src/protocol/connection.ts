import type { Socket } from 'node:net';
import type { Client } from './client';
import { MessageReader } from './message-reader';
import { compress, decompress } from './op-compressed';
import { frameOpMsg, type OpMsg, parseOpMsg } from './op-msg';
import { frameOpReply, type OpQuery, parseOpQuery } from './op-query';
import { MAX_MESSAGE_BYTES, MAX_UNKNOWN_MESSAGE_BYTES, OpCode, ProtocolError, type WireMessage } from './wire';

/** Answers requests; the connection handles bytes, the dispatcher commands. */
export interface Dispatcher {
  /** @returns the BSON of the reply in parts; errors are replies too */
  command(client: Client, request: OpMsg): Promise<Buffer[]>;
  legacyCommand(client: Client, request: OpQuery): Promise<Buffer[]>;
  /** Milliseconds until the next reply of an exhaust hello, or undefined if the request has just one reply. */
  exhaustInterval(request: OpMsg): number | undefined;
  closed(client: Client): void;
}

/** Limit of waiting requests of one connection; then it is not read further. */
const MAX_WAITING = 16;

let lastRequestId = 0;
const nextRequestId = (): number => (lastRequestId = (lastRequestId + 1) & 0x7fffffff);

/** One client's socket: requests are answered in their order. */
export class Connection {
  private readonly reader: MessageReader;
  private readonly waiting: WireMessage[] = [];
  private isWorking = false;
  private isClosed = false;
  private isClosing = false;
  private exhaustTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly socket: Socket,
    readonly client: Client,
    private readonly dispatcher: Dispatcher,
  ) {
    this.reader = new MessageReader(() => this.maxMessageBytes);
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.received(chunk));
    // The client has disconnected; the handler of "close" cancels its operations.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.closed());
  }

  private get maxMessageBytes(): number {
    return this.client.isAuthenticated ? MAX_MESSAGE_BYTES : MAX_UNKNOWN_MESSAGE_BYTES;
  }

  private received(chunk: Buffer): void {
    try {
      this.waiting.push(...this.reader.push(chunk));
    } catch {
      this.socket.destroy();
      return;
    }
    if (this.waiting.length > MAX_WAITING) this.socket.pause();
    if (!this.isWorking && this.waiting.length > 0) this.work().catch(() => this.socket.destroy());
  }

  private async work(): Promise<void> {
    this.isWorking = true;
    try {
      for (let message = this.waiting.shift(); message && !this.isClosed; message = this.waiting.shift()) {
        await this.answer(message);
        if (this.waiting.length <= MAX_WAITING && this.socket.isPaused()) this.socket.resume();
      }
    } catch {
      // The bytes were no message: this connection is closed, others are not.
      this.socket.destroy();
    }
    this.isWorking = false;
    if (this.isClosing) this.socket.destroySoon();
  }

  private async answer(received: WireMessage): Promise<void> {
    const message = received.opCode === OpCode.Compressed ? decompress(received, this.maxMessageBytes) : received;
    if (message.opCode === OpCode.Msg) return this.answerMsg(message);
    if (message.opCode === OpCode.Query) {
      const parts = await this.dispatcher.legacyCommand(this.client, parseOpQuery(message.body));
      return this.send(frameOpReply(nextRequestId(), message.requestId, parts), message);
    }
    throw new ProtocolError(`unknown opcode ${message.opCode}`);
  }

  private async answerMsg(message: WireMessage): Promise<void> {
    const request = parseOpMsg(message);
    const parts = await this.dispatcher.command(this.client, request);
    if (request.moreToCome) return;
    const interval = request.exhaustAllowed ? this.dispatcher.exhaustInterval(request) : undefined;
    const id = nextRequestId();
    await this.send(frameOpMsg(id, message.requestId, parts, interval !== undefined), message);
    if (interval !== undefined) this.streamFurther(request, message, id, interval);
  }

  /** Further replies to one request, each in response to the previous one, until the connection closes. */
  private streamFurther(request: OpMsg, message: WireMessage, previousId: number, interval: number): void {
    this.exhaustTimer = setTimeout(async () => {
      if (this.isClosed) return;
      const parts = await this.dispatcher.command(this.client, request);
      const id = nextRequestId();
      await this.send(frameOpMsg(id, previousId, parts, true), message);
      this.streamFurther(request, message, id, interval);
    }, interval);
  }

  private async send(reply: Buffer, request: WireMessage): Promise<void> {
    if (this.isClosed) return;
    const bytes = request.compressorId === 0 ? reply : compress(reply, request.compressorId);
    if (!this.socket.write(bytes)) await this.drained();
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.socket.off('drain', done);
        this.socket.off('close', done);
        resolve();
      };
      this.socket.on('drain', done);
      this.socket.on('close', done);
    });
  }

  private closed(): void {
    this.isClosed = true;
    clearTimeout(this.exhaustTimer);
    this.waiting.length = 0;
    this.dispatcher.closed(this.client);
  }

  /** Closes the connection after the requests so far are answered. */
  close(): void {
    this.isClosing = true;
    if (!this.isWorking) this.socket.destroySoon();
  }
}
