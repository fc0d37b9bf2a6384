import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperationError, type PresignedUrl, type UploadedFile } from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import { originOfTask, Works } from '@moothall/tracing';
import { endWhenIdle } from './end-when-idle';
import { keysOf, mint, read, type SignedToken } from './signed-token';
import { UnusedTokens } from './unused-tokens';
import { type UploadClaims, uploadHandler } from './uploaded-files';

export interface DataPortOptions {
  /** Interface to listen on. */
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Host name under which the gateway reaches this process; `host` by default. */
  advertisedHost?: string | undefined;
  /** Shared by all services: signs tickets. */
  signingKey: string;
  /** Another that tickets may be signed with, while keys are changed. */
  acceptedKey?: string | undefined;
  /** Exchanges without progress for this time are aborted; 60 s by default. */
  idleMs?: number | undefined;
  /** Traces transfers. */
  works?: Works;
}

/**
 * Sends or receives the bytes of one signed URL. An OperationError thrown before the first byte is the answer to the
 * client.
 */
export type PresignedHandler<T> = (args: T, request: IncomingMessage, response: ServerResponse) => Promise<void>;

const ticketLifetimeMs = 60_000;
const usualIdleMs = 60_000;
// Longer than any operation takes: the file is deleted when the operation has answered.
const uploadLifetimeMs = 15 * 60_000;
// Far longer than the gateway keeps a connection, so that it never sends on one that is being closed.
const keepAliveTimeout = 60_000;

/** A URL is used immediately; after this time it will not be used. */
const graceMs = 3_000;

interface Served {
  handle: PresignedHandler<unknown>;
  patience: (args: unknown) => number;
}

/** Carries the error value, as JSON, of a ticket that was refused. */
export const refusalHeader = 'moothall-refusal';

/**
 * The internal HTTP port of a service. Bytes are not sent over NATS: an operation answers with a signed URL of this
 * port, and the gateway pipes the stream.
 */
export class DataPort {
  private readonly handlers = new Map<string, Served>();
  private readonly server: Server;
  private isClosing = false;
  private readonly unused = new UnusedTokens(graceMs);
  private readonly keys: readonly string[];
  private readonly works: Works;

  constructor(
    private readonly options: DataPortOptions,
    private readonly onError: (error: unknown) => void,
  ) {
    this.keys = keysOf(options.signingKey, options.acceptedKey);
    this.works = options.works ?? new Works();
    this.server = createServer({ requestTimeout: 0, keepAliveTimeout }, (request, response) =>
      unattended('data port', this.answer(request, response)),
    );
  }

  /**
   * Registers a handler for signed URLs.
   * @param patience factor of the usual time without progress
   */
  serve<T>(name: string, handle: PresignedHandler<T>, patience: (args: T) => number = () => 1): void {
    // The signed token contains the arguments of `presign`.
    this.handlers.set(name, { handle, patience } as Served);
  }

  /** A URL for one use of a handler, valid for a minute. */
  presign(name: string, args: unknown): PresignedUrl {
    const origin = originOfTask();
    const ticket = this.mint({ name, args, ...(origin.requestId && { origin }) }, ticketLifetimeMs);
    this.unused.add(ticket);
    return { url: `${this.origin}/${ticket}` };
  }

  /** Vouches for a file that {@link uploadHandler} serves here. */
  uploadedFile(claims: Omit<UploadClaims, 'origin'>): UploadedFile {
    const all: UploadClaims = { ...claims, origin: this.origin };
    return { ticket: this.mint({ name: uploadHandler, args: all }, uploadLifetimeMs) };
  }

  private mint(ticket: SignedToken, lifetimeMs: number): string {
    if (!this.handlers.has(ticket.name)) throw new Error(`nothing serves tickets for ${ticket.name}`);
    return mint(this.options.signingKey, ticket, Date.now() + lifetimeMs);
  }

  private get origin(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://${this.options.advertisedHost ?? this.options.host}:${port}`;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A client that disconnects is no fault; the sender sees it at the end.
    response.on('error', () => undefined);
    try {
      const path = request.url ?? '/';
      this.unused.delete(path.slice(1));
      if (this.isClosing) response.setHeader('connection', 'close');
      const ticket = read(this.keys, path.slice(1), Date.now());
      const handler = ticket && this.handlers.get(ticket.name);
      if (!handler) {
        response.writeHead(404).end();
        return;
      }
      response.once('finish', () => drain(request));
      const { name, args, origin = {} } = ticket;
      response.once(
        'close',
        endWhenIdle(request, response, handler.patience(args) * (this.options.idleMs ?? usualIdleMs)),
      );
      await this.works.do('transfer', name, origin, () => handler.handle(args, request, response));
    } catch (error) {
      this.refuse(error, request, response);
    }
  }

  private refuse(error: unknown, request: IncomingMessage, response: ServerResponse): void {
    // A disconnected client gets no answer, which is no error of ours.
    if (request.socket.destroyed) return;
    if (!(error instanceof OperationError)) this.onError(error);
    // After the first byte only a closed connection shows that the answer is incomplete.
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // A client that is still sending would not read the answer.
    drain(request);
    const refused = error instanceof OperationError ? { [refusalHeader]: JSON.stringify(error.value) } : {};
    response.writeHead(error instanceof OperationError ? 422 : 500, refused).end();
  }

  /** @returns the port it listens on */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      // The process's own port, also in a gateway that shares its HTTP port with others: tokens are valid for one
      // process.
      this.server.listen({ port: this.options.port, host: this.options.host, exclusive: true }, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  /** Waits for recently issued URLs, and ends after the running streams. */
  async close(): Promise<void> {
    if (!this.server.listening) return;
    this.isClosing = true;
    await this.unused.gone();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeIdleConnections();
    await closed;
  }
}

/** Reads the rest of a request, which would precede the next request on the connection. */
function drain(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
}
