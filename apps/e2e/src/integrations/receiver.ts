import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: any payload
  body: any;
}

/** A server that receives hooks. */
export class Receiver {
  /** Status and body by path; 200 and `thanks` unless given. */
  readonly answers = new Map<string, { status: number; body: string }>();
  private readonly received: Received[] = [];
  private readonly server = createServer((request, response) => {
    const path = request.url ?? '';
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      this.received.push({ path, headers: request.headers, body: JSON.parse(text) });
      const { status, body } = this.answers.get(path) ?? { status: 200, body: 'thanks' };
      response.writeHead(status).end(body);
    });
  });

  start(): Promise<void> {
    return new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  url(path: string): string {
    return `http://${this.host}${path}`;
  }

  /** What a path has received. */
  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  private get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}
