import type { Operation, Route } from '@moothall/contracts';
import { BytesOutput, NoOutput, RawOutput } from '@moothall/contracts';
import { unattended } from '@moothall/logging';
import { type DecodedReply, discardLargeMessage } from '@moothall/messaging';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, etagOfSha1, isUnchanged } from './etag';
import { pagingHeaders } from './paging-headers';
import { streamPresigned } from './presigned-stream';
import { bufferOf, sendBody, sendPage } from './send-body';

interface Answering {
  operation: Operation;
  route: Route;
  request: FastifyRequest;
  reply: FastifyReply;
  input: Record<string, unknown>;
  externalUrl: string;
}

const validatedByClients = 'max-age=0, private, must-revalidate';

/** Sends a service's reply to a client. JSON is passed through unparsed. */
export async function sendReply(answer: DecodedReply, answering: Answering): Promise<void> {
  const { meta } = answer;
  const { operation, route, request, reply, input } = answering;
  const status = meta.status ?? route.success;
  if (operation.output instanceof BytesOutput && meta.ticket) {
    await streamPresigned(meta.ticket, request, reply, { status, headers: meta.headers });
    return;
  }
  if (meta.headers) reply.headers(meta.headers);
  reply.code(status);
  if (operation.output instanceof NoOutput || status === 204) {
    await reply.send();
    return;
  }
  if (operation.output instanceof RawOutput) return sendPage(answer, reply);
  reply.header('content-type', 'application/json');
  if (meta.page) reply.headers(pagingHeaders(meta.page, askedOf(answering, input), () => itemsIn(answer)));
  if (route.method === 'GET' && status === 200 && answerUnchanged(answering, answer)) return;
  await sendBody(answer, reply);
}

const itemsIn = ({ meta, body }: DecodedReply): number =>
  meta.parcel?.items ?? JSON.parse(bufferOf(body).toString()).length;

const askedOf = ({ request, externalUrl }: Answering, input: Record<string, unknown>) => ({
  url: request.url,
  externalUrl,
  page: Number(input.page),
  perPage: Number(input.per_page),
});

function answerUnchanged({ request, reply }: Answering, { meta: { parcel }, body }: DecodedReply): boolean {
  const etag = parcel ? etagOfSha1(parcel.sha1) : etagOf(body);
  reply.header('etag', etag).header('cache-control', validatedByClients);
  if (!isUnchanged(request.headers['if-none-match'], etag)) return false;
  if (parcel) unattended('a large message', discardLargeMessage(parcel));
  reply.removeHeader('content-type').code(304).send();
  return true;
}
