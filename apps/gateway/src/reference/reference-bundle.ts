import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { loadOnce } from '@moothall/background';
import { FastifyAdapter } from '@nestjs/platform-fastify';

const compress = promisify(gzip);

/**
 * The script of the page, which the package keeps inside a plugin for Fastify. Loaded once somebody asks for it: it is
 * four megabytes.
 */
export class ReferenceBundle {
  /** @returns the script, as gzip */
  readonly read = loadOnce(() => this.load());

  private async load(): Promise<Buffer> {
    const { default: plugin } = await import('@scalar/fastify-api-reference');
    const server = new FastifyAdapter().getInstance();
    await server.register(plugin, { routePrefix: '/', configuration: { url: '/' } });
    const { rawPayload } = await server.inject('/js/scalar.js');
    await server.close();
    return compress(rawPayload);
  }
}
