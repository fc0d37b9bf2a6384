import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isAnyPath } from '../answer/any-path';
import type { ErrorFilter } from '../answer/error.filter';
import { graphqlPath } from '../answer/graphql-error';
import { sendsForm, wantsFile, wantsPage } from '../answer/resource-pages';
import type { Primary } from './primary';

type Way = 'here' | 'forwarded' | 'redirected' | 'refused';

/** The destination of a request on a secondary site. See docs/api/geo-replication.md#5. */
export function wayOf(request: FastifyRequest, isLfs: boolean): Way {
  const { config, url } = request.routeOptions;
  const { operation } = config;
  if (!operation) {
    if (isLfs || url === graphqlPath) return 'forwarded';
    if (!isAnyPath(url)) return 'here';
    if (sendsForm(request)) return 'refused';
    return wantsPage(request) || wantsFile(request) ? 'redirected' : 'here';
  }
  if (operation.onSecondary === 'here') return 'here';
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead) return 'refused';
  // Status of this site and of its copies.
  if (operation.service === 'geo') return 'here';
  if (wantsPage(request)) return 'redirected';
  // The body is not read before the destination is known.
  const isPlain = request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length'] ?? 0);
  return operation.onSecondary !== undefined && isPlain ? 'here' : 'forwarded';
}

/** Before the request is read: requests that this site does not answer are forwarded to the primary, or refused. */
export function serveAsSecondary(
  fastify: FastifyInstance,
  primary: Primary,
  errors: ErrorFilter,
  isLfs: (url: string) => boolean,
): void {
  if (!primary.isFollowed) return;
  const go: Record<Exclude<Way, 'here'>, (request: FastifyRequest, reply: FastifyReply) => unknown> = {
    forwarded: (request, reply) =>
      primary.forward(request, reply).catch((error: unknown) => errors.answer(error, request, reply)),
    redirected: (request, reply) => reply.redirect(primary.addressOf(request.originalUrl), 302),
    refused: (request, reply) => errors.answer(primary.refusal(), request, reply),
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    const way = wayOf(request, isLfs(request.url));
    if (way === 'here') done();
    else go[way](request, reply);
  });
}
