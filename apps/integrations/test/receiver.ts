import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: any;
  text: string;
}

type Answer = (response: ServerResponse, received: Received) => void;

/** A receiver of hooks: it stores requests and answers as a test sets. */
export class Receiver {
  readonly received: Received[] = [];
  /** By path; 200 unless given. */
  readonly answers = new Map<string, Answer>();
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'http' | 'https',
  ) {
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request, response) => this.take(request, response));
  }

  /** @param tls key and certificate, for https */
  static async start(tls?: { key: string; cert: string }): Promise<Receiver> {
    const server = tls ? createSecureServer(tls) : createServer();
    const receiver = new Receiver(server as Server, tls ? 'https' : 'http');
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  private take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { method = '', url = '', headers } = request;
      const received = { method, path: url, headers, text, body: text ? JSON.parse(text) : undefined };
      this.received.push(received);
      // The sender reads a limited part of an endless answer and closes the connection.
      response.on('error', () => response.destroy());
      const answer = this.answers.get(url);
      if (answer) answer(response, received);
      else response.end('ok');
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path: string, who = ''): string {
    return `${this.scheme}://${who}127.0.0.1:${this.port}${path}`;
  }

  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
