import { pipeline, type Readable, type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Smaller bodies fit into the first packet of an answer. */
const leastBytes = 1024;

const [compressByGzip, compressByBrotli] = [promisify(gzip), promisify(brotliCompress)];

/** Takes the time that gzip takes, and pages are a tenth smaller. */
const brotliFor = (sizeBytes: number) => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: sizeBytes,
  },
});

/** A content coding (RFC 9110 8.4.1). Both ways work in threads of their own. */
interface Encoding {
  name: string;
  compress(body: Buffer): Promise<Buffer>;
  compressor(sizeBytes: number): Transform;
}

const encodings = new Map<string | null, Encoding>([
  [
    'br',
    {
      name: 'br',
      compress: (body) => compressByBrotli(body, brotliFor(body.length)),
      compressor: (sizeBytes) => createBrotliCompress(brotliFor(sizeBytes)),
    },
  ],
  ['gzip', { name: 'gzip', compress: (body) => compressByGzip(body), compressor: () => createGzip() }],
]);

/** The best of these codings that the client accepts; `identity` without compression. */
export const acceptedEncoding = (request: FastifyRequest, offered: readonly string[]): string | null =>
  negotiate(`${request.headers['accept-encoding'] ?? ''}`.toLowerCase(), [...offered, 'identity']);

/** Of a page of that size; undefined if it is sent as it is. */
export const encodingOfPage = (request: FastifyRequest, sizeBytes: number): Encoding | undefined =>
  sizeBytes < leastBytes ? undefined : encodings.get(acceptedEncoding(request, ['br', 'gzip']));

/** Whether the answer is a page. Redirects have no content. */
export const isPage = (reply: FastifyReply): boolean => /^text\/html\b/.test(`${reply.getHeader('content-type')}`);

/** Compresses a body while it is sent. */
export function throughEncoding(body: Readable, { compressor }: Encoding, sizeBytes: number): Readable {
  // The compressor is destroyed with the error, so Fastify, which reads it, gets the error and logs it.
  return pipeline(body, compressor(sizeBytes), () => undefined);
}
