import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { loadOnce } from '@moothall/background';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, isUnchanged } from '../answer/etag';
import { acceptedEncoding } from '../answer/page-encoding';

const decompress = promisify(gunzip);
/** By package name, so that a bundle finds it too. */
const firstFile = '@moothall/gateway/reference/openapi.json';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
};

interface File {
  compressed: Buffer;
  etag: string;
}

/** The files of the reference, which the build writes as gzip (`tools/reference.mjs`). Each is read at its first request. */
export class ReferenceFiles {
  private readonly readers = loadOnce(async () => {
    const folder = path.dirname(require.resolve(firstFile));
    const names = (await readdir(folder)).map((name) => name.replace(/\.gz$/, ''));
    return new Map(names.map((name) => [name, loadOnce(() => this.read(path.join(folder, `${name}.gz`)))]));
  });

  async has(name: string): Promise<boolean> {
    return (await this.readers()).has(name);
  }

  /** @throws if there is no such file */
  async send(name: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const read = (await this.readers()).get(name);
    if (!read) throw new Error(`the reference has no file ${name}`);
    const { compressed, etag } = await read();
    reply.header('etag', etag).header('vary', 'accept-encoding').header('cache-control', 'no-cache');
    if (isUnchanged(request.headers['if-none-match'], etag)) {
      reply.code(304).send();
      return;
    }
    reply.header('content-type', types[path.extname(name)]);
    if (acceptedEncoding(request, ['gzip']) === 'gzip') reply.header('content-encoding', 'gzip').send(compressed);
    else reply.send(await decompress(compressed));
  }

  private async read(file: string): Promise<File> {
    const compressed = await readFile(file);
    return { compressed, etag: etagOf(compressed) };
  }
}
