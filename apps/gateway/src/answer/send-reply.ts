import type { Operation, Route } from '@moothall/contracts';
import { BytesOutput, NoOutput, RawOutput } from '@moothall/contracts';
import type { DecodedReply } from '@moothall/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, isUnchanged } from './etag';
import { pagingHeaders } from './paging-headers';
import { streamTicket } from './ticket-stream';

interface Answering {
  operation: Operation;
  route: Route;
  request: FastifyRequest;
  reply: FastifyReply;
  input: Record<string, unknown>;
  externalUrl: string;
}

const validatedByClients = 'max-age=0, private, must-revalidate';

/** Answers a client with what a service replied. JSON is passed on as it came, unparsed. */
export async function sendReply({ meta, body }: DecodedReply, answering: Answering): Promise<void> {
  const { operation, route, request, reply, input } = answering;
  const status = meta.status ?? route.success;
  if (operation.output instanceof BytesOutput && meta.ticket) {
    await streamTicket(meta.ticket, request, reply, { status, headers: meta.headers });
    return;
  }
  if (meta.headers) reply.headers(meta.headers);
  reply.code(status);
  if (operation.output instanceof NoOutput || status === 204) {
    await reply.send();
    return;
  }
  if (operation.output instanceof RawOutput) {
    await reply.send(Buffer.from(body));
    return;
  }
  reply.header('content-type', 'application/json');
  if (meta.page)
    reply.headers(
      pagingHeaders(meta.page, askedOf(answering, input), () => JSON.parse(Buffer.from(body).toString()).length),
    );
  if (route.method === 'GET' && status === 200 && answerUnchanged(request, reply, body)) return;
  await reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}

const askedOf = ({ request, externalUrl }: Answering, input: Record<string, unknown>) => ({
  url: request.url,
  externalUrl,
  page: Number(input.page),
  perPage: Number(input.per_page),
});

function answerUnchanged(request: FastifyRequest, reply: FastifyReply, body: Uint8Array): boolean {
  const etag = etagOf(body);
  reply.header('etag', etag).header('cache-control', validatedByClients);
  if (!isUnchanged(request.headers['if-none-match'], etag)) return false;
  reply.removeHeader('content-type').code(304).send();
  return true;
}
