import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * How often a process measures the lag of its event loop. Each measurement wakes it. The lag in metrics is the time
 * between two measurements, this interval included.
 */
export const eventLoopLookMs = 100;

/** Served unchanged; an error is a 500 without details. */
export type Page = () => Promise<{ status?: number; contentType: string; body: string }>;

/**
 * The operator's pages of a process: metrics, health. On a separate port, so that neither clients nor other processes
 * need to reach it, and a collector of metrics needs to reach nothing else.
 */
export class MetricsPort {
  private readonly pages = new Map<string, Page>();
  private readonly server: Server;

  constructor(private readonly onError: (error: unknown) => void) {
    this.server = createServer(async (request, response) => {
      // The client has disconnected, and nobody else needs the answer.
      response.on('error', () => undefined);
      const page = this.pages.get(request.url ?? '/');
      try {
        if (!page || request.method !== 'GET') {
          response.writeHead(404).end();
          return;
        }
        const { status = 200, contentType, body } = await page();
        response.writeHead(status, { 'content-type': contentType }).end(body);
      } catch (error) {
        this.onError(error);
        response.writeHead(500).end();
      }
    });
  }

  /** @param path as `/-/metrics` */
  show(path: string, page: Page): this {
    this.pages.set(path, page);
    return this;
  }

  /** @param port 0 selects a free one @returns the port */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ port, host, exclusive: true }, resolve);
    });
    this.server.on('error', this.onError);
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }
}
