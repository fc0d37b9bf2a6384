import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A server at the primary's address that is not a primary: it answers every request with a page, except those about
 * callers, which it forwards while it accepts them.
 */
export class Impostor {
  letsIn = true;

  private constructor(private readonly server: Server) {}

  /** @param url of the primary behind it */
  static async before(url: string): Promise<Impostor> {
    const impostor = new Impostor(createServer());
    impostor.server.on('request', async (request, response) => {
      if (!impostor.letsIn || request.url !== '/api/v4/geo/questions')
        return response.setHeader('content-type', 'text/html').end('<h1>It works!</h1>');
      const headers = { 'content-type': 'application/json', authorization: String(request.headers.authorization) };
      const body = Buffer.concat(await request.toArray());
      const answer = await fetch(`${url}${request.url}`, { method: 'POST', headers, body });
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    await once(impostor.server.listen(0, '127.0.0.1'), 'listening');
    return impostor;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
