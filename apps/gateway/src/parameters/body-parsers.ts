import multipart from '@fastify/multipart';
import { commonErrors, invalidParameters } from '@moothall/contracts';
import { parse } from 'fast-querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { nestFields } from './nest-fields';

/** Content types that carry packs; the stream is passed on unread. */
export const gitContentType = /^application\/x-git-/;

/** Teaches Fastify the bodies of the v4 interface. Source: clarifications A.8. */
export async function registerBodyParsers(fastify: FastifyInstance, maxFileBytes: number): Promise<void> {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) => {
    // Some clients send the header on requests without a body.
    if (body.trim() === '') return {};
    try {
      return JSON.parse(body);
    } catch {
      throw invalidParameters('the body is not valid JSON');
    }
  });
  fastify.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => {
      const flat = parse(body) as Record<string, string | string[]>;
      return nestFields(
        Object.entries(flat).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const)),
      );
    },
  );
  // No parameters in it; kept for the operations that take a body as it is.
  fastify.addContentTypeParser('text/plain', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  fastify.addContentTypeParser(gitContentType, async () => undefined);
  fastify.addContentTypeParser('*', async (request: FastifyRequest) => {
    const type = request.headers['content-type'];
    // curl -X POST without data sends neither type nor body.
    if (type === undefined) return {};
    throw commonErrors.unsupportedMediaType(`The provided content-type '${type}' is not supported.`);
  });
  await fastify.register(multipart, {
    limits: { fileSize: maxFileBytes, fieldSize: 7 * 1024 * 1024, fields: 1000, files: 10, parts: 1010 },
    throwFileSizeLimit: true,
  });
}
