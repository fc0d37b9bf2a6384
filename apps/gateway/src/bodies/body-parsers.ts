import { isUtf8 } from 'node:buffer';
import multipart from '@fastify/multipart';
import { commonErrors } from '@moothall/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { lfsContentType, mostLfsBody } from '../lfs/lfs-answers';
import { formPairs } from '../parameters/form-pairs';
import { readJson } from '../parameters/json-text';
import { nestFields } from '../parameters/nest-fields';

/** Content types that carry packs; the stream is passed on unread. */
export const gitContentType = /^application\/x-git-/;

/** The content type of bodies that an operation takes as a file, whatever their own type. */
export const fileContentType = 'application/x-file-body';

/** What a registry of images sends its notifications as. Source: distribution 2.8, `EventsMediaType`. */
const registryEventsType = 'application/vnd.docker.distribution.events.v1+json';

/** How many times longer than its characters a text may be on the wire: escaped in JSON, an emoji has 12 bytes for 4. */
export const escapeFactor = 3;

/**
 * Teaches Fastify the bodies of the v4 interface. See docs/api/requests.md#5.
 * @param maxBody bytes of parameters, as they are without escapes
 */
export async function registerBodyParsers(fastify: FastifyInstance, maxBody: number): Promise<void> {
  fastify.removeAllContentTypeParsers();
  const readFields = (type: string, read: (text: string) => unknown) =>
    fastify.addContentTypeParser(type, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
      if (!isUtf8(body)) throw commonErrors.badRequest();
      const fields = read(body.toString());
      if (body.length > maxBody) refuseTooLarge(fields, maxBody);
      return fields;
    });
  readFields('application/json', readJson);
  readFields(registryEventsType, readJson);
  readFields('application/x-www-form-urlencoded', (text) => nestFields(formPairs(text)));
  // No parameters in it; kept for the operations that take a body as it is.
  fastify.addContentTypeParser('text/plain', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  fastify.addContentTypeParser(gitContentType, async () => undefined);
  fastify.addContentTypeParser(fileContentType, async () => undefined);
  const ofLfs = { parseAs: 'buffer', bodyLimit: mostLfsBody } as const;
  fastify.addContentTypeParser(lfsContentType, ofLfs, async (_request: unknown, body: Buffer) => body);
  fastify.addContentTypeParser('*', async (request: FastifyRequest) => {
    const type = request.headers['content-type'];
    // curl -X POST without data sends neither type nor body.
    if (type === undefined) return {};
    throw commonErrors.unsupportedMediaType(`The provided content-type '${type}' is not supported.`);
  });
  // Read part by part, see MultipartBodies, which counts for itself.
  await fastify.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY } });
}

/** What is longer than the limit may be so by its escapes only. */
function refuseTooLarge(fields: unknown, maxBytes: number): void {
  if (Buffer.byteLength(JSON.stringify(fields)) > maxBytes) throw commonErrors.tooLarge();
}
