import type { IncomingMessage } from 'node:http';
import { finished, PassThrough, type Readable } from 'node:stream';
import { commonErrors, OperationError, type PresignedUrl } from '@moothall/contracts';
import { ConnectionPools, refusalHeader } from '@moothall/data-port';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { request as fetch } from 'undici';

// Streams may be slow; the sending service aborts those that hang. The limit equals that of clients: with fewer
// connections, slow readers would block others.
const dataPorts = new ConnectionPools({
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: 5_000,
  keepAliveMaxTimeout: 5_000,
});

const passedToService = [
  'content-type',
  'content-encoding',
  'content-length',
  'range',
  'if-range',
  'if-none-match',
  'git-protocol',
];
const notPassedBack = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date']);

/** Pipes the bytes of a signed URL to the client, and the client's body to the service, with backpressure both ways. */
export async function streamPresigned(
  { url }: PresignedUrl,
  request: FastifyRequest,
  reply: FastifyReply,
  extra: { status?: number | undefined; headers?: Record<string, string> | undefined; sendsBody?: boolean } = {},
): Promise<void> {
  const gone = new AbortController();
  // A client that left earlier emits no event; `finished` reports that, too.
  finished(reply.raw, () => gone.abort());
  const answer = await fetch(url, {
    dispatcher: dataPorts.to(url),
    method: extra.sendsBody ? 'POST' : 'GET',
    headers: Object.fromEntries(passedToService.flatMap((name) => forward(request, name))),
    body: extra.sendsBody ? bodyOf(request.raw) : null,
    signal: gone.signal,
  }).catch((error: unknown) => {
    throw gone.signal.aborted ? error : commonErrors.unavailable();
  });
  const refusal = answer.headers[refusalHeader];
  if (typeof refusal === 'string' || answer.statusCode >= 500) {
    await answer.body.dump();
    throw typeof refusal === 'string' ? new OperationError(JSON.parse(refusal)) : commonErrors.internal();
  }
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined && !notPassedBack.has(name)) reply.header(name, value);
  }
  await reply
    .code(answer.statusCode === 200 ? (extra.status ?? 200) : answer.statusCode)
    .headers(extra.headers ?? {})
    .send(answer.body);
}

/**
 * undici destroys a body once the service has read enough, and detaches its socket: with the request itself, that would
 * be the socket of the response.
 */
export function bodyOf(request: IncomingMessage): Readable {
  const body = new PassThrough();
  // The reader has got the error by then, or has left.
  body.on('error', () => undefined);
  finished(request, { writable: false }, (error) => {
    if (error) body.destroy(error);
  });
  return request.pipe(body);
}

function forward(request: FastifyRequest, name: string): [string, string][] {
  const value = request.headers[name];
  return typeof value === 'string' ? [[name, value]] : [];
}
