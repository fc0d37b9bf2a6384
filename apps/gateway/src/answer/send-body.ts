import { type DecodedReply, type LargeMessage, openLargeMessage } from '@moothall/messaging';
import type { FastifyReply } from 'fastify';
import { encodingOfPage, isPage, throughEncoding } from './page-encoding';

/** Sends the body of a reply as it is. */
export async function sendBody({ meta, body }: DecodedReply, reply: FastifyReply): Promise<void> {
  await (meta.parcel ? sendLargeMessage(meta.parcel, reply) : reply.send(bufferOf(body)));
}

/** Sends a page, compressed if the client accepts that. Its forms have tokens that do not suffer from it (BREACH). */
export async function sendPage(answer: DecodedReply, reply: FastifyReply): Promise<void> {
  if (!isPage(reply)) return sendBody(answer, reply);
  const { meta, body } = answer;
  const sizeBytes = meta.parcel?.sizeBytes ?? body.byteLength;
  const encoding = encodingOfPage(reply.request, sizeBytes);
  reply.header('vary', `${reply.getHeader('vary')}, Accept-Encoding`);
  if (!encoding) return sendBody(answer, reply);
  const compressed = meta.parcel
    ? throughEncoding(await openLargeMessage(meta.parcel), encoding, sizeBytes)
    : await encoding.compress(bufferOf(body));
  await reply.header('content-encoding', encoding.name).send(compressed);
}

/** Streams it at the pace of the client; only the service stores it. */
async function sendLargeMessage(parcel: LargeMessage, reply: FastifyReply): Promise<void> {
  const body = await openLargeMessage(parcel).catch((error: unknown) => {
    reply.removeHeader('etag').removeHeader('cache-control');
    throw error;
  });
  await reply.header('content-length', parcel.sizeBytes).send(body);
}

export const bufferOf = (body: Uint8Array): Buffer => Buffer.from(body.buffer, body.byteOffset, body.byteLength);
