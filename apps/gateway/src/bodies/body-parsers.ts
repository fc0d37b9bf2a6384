import { isUtf8 } from 'node:buffer';
import multipart from '@fastify/multipart';
import { commonErrors } from '@moothall/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { lfsContentType, mostLfsBody } from '../lfs/lfs-answers';
import { formPairs } from '../parameters/form-pairs';
import { readJson } from '../parameters/json-text';
import { nestFields } from '../parameters/nest-fields';

/** Content types of packs; the stream is passed on unread. */
export const gitContentType = /^application\/x-git-/;

/** The content type for bodies that an operation receives as a file. */
export const fileContentType = 'application/x-file-body';

/** Content type of registry notifications. Source: distribution 2.8, `EventsMediaType`. */
const registryEventsType = 'application/vnd.docker.distribution.events.v1+json';

/** Maximum ratio of transferred bytes to text: escaped in JSON, an emoji has 12 bytes instead of 4. */
export const escapeFactor = 3;

/**
 * Registers Fastify's parsers for the bodies of the v4 API. See docs/api/requests.md#5.
 * @param maxBody limit of parameters in bytes, without escapes
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
  // It contains no parameters; some operations take the raw body.
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
  // Read part by part, see MultipartBodies, which applies its own limits.
  await fastify.register(multipart, { limits: { fileSize: Number.POSITIVE_INFINITY } });
}

/** A body may exceed the limit only because of escapes. */
function refuseTooLarge(fields: unknown, maxBytes: number): void {
  if (Buffer.byteLength(JSON.stringify(fields)) > maxBytes) throw commonErrors.tooLarge();
}
