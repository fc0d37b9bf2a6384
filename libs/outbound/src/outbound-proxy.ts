import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { outboundAgents } from './agents';
import { connectOutbound, OutboundBlocked } from './connect';
import type { OutboundPolicy } from './policy';

/**
 * An HTTP proxy on the loopback interface for programs that connect by themselves, as git does. It is they who say where
 * to, and here it is checked, for each connection and each redirect. Only who knows its secret may use it.
 */
export class OutboundProxy {
  private readonly secret = randomBytes(24).toString('hex');
  private readonly sockets = new Set<Duplex>();
  private server?: Server;

  constructor(private readonly policy: () => Promise<OutboundPolicy>) {}

  /** @returns its address with name and password, for `http.proxy` and the like */
  async listen(): Promise<string> {
    this.server ??= await this.start();
    return `http://git:${this.secret}@127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  private async start(): Promise<Server> {
    const server = createServer((incoming, response) => void this.forward(incoming, response));
    server.on('connect', (incoming: IncomingMessage, socket: Duplex) => void this.tunnel(incoming, socket));
    server.on('connection', (socket: Socket) => this.keep(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
    return server;
  }

  private async tunnel(incoming: IncomingMessage, socket: Duplex): Promise<void> {
    socket.on('error', () => undefined);
    if (!this.isKnown(incoming)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="git"\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${incoming.url}`);
    try {
      const target = await connectOutbound(await this.policy(), hostname, Number(port || 80));
      this.keep(target);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.on('error', () => socket.destroy());
      socket.once('close', () => target.destroy());
      target.pipe(socket).pipe(target);
    } catch (error) {
      socket.end(`HTTP/1.1 ${error instanceof OutboundBlocked ? '403 Blocked' : '502 Bad Gateway'}\r\n\r\n`);
    }
  }

  private async forward(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.isKnown(incoming)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    const { 'proxy-authorization': _secret, 'proxy-connection': _hop, ...headers } = incoming.headers;
    const outgoing = request(incoming.url!, {
      method: incoming.method,
      headers,
      agent: outboundAgents(this.policy).http,
    });
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    outgoing.once('error', (error) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(error instanceof OutboundBlocked ? 403 : 502).end(error.message);
    });
    response.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  private isKnown({ headers }: IncomingMessage): boolean {
    const expected = Buffer.from(`Basic ${Buffer.from(`git:${this.secret}`).toString('base64')}`);
    const given = Buffer.from(headers['proxy-authorization'] ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private keep(socket: Duplex): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
