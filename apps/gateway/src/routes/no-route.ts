import { commonErrors } from '@moothall/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { isAnyPath } from '../answer/any-path';
import type { ErrorFilter } from '../answer/error.filter';
import { KnownPaths } from './known-paths';

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers requests without a route: 405 with Allow for a method that the path does not have, 406 for an unsupported
 * format; the body is ignored. Only paths that another path's route would match get routes for that: routes for all
 * paths were three quarters of all routes, and took a seventh of the start time.
 */
export function refuseKnownPaths(fastify: FastifyInstance, errors: ErrorFilter): void {
  const known = new KnownPaths();
  const refuse = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
    const path = pathOf(request);
    const format = known.otherFormatOf(path);
    if (format !== undefined) {
      errors.answer(commonErrors.otherFormat(`The requested format '${format}' is not supported.`), request, reply);
      return;
    }
    const allowed = known.methodsOf(path);
    if (allowed.length === 0) return done();
    reply.header('allow', allowed.join(', '));
    errors.answer(commonErrors.wrongMethod(), request, reply);
  };
  for (const refused of known.overshadowed())
    fastify.route({ ...refused, exposeHeadRoute: false, onRequest: refuse, handler: () => undefined });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isAnyPath(request.routeOptions.url)) refuse(request, reply, done);
    else done();
  });
}

/** Answers 410 for the previous version of the API. */
export function refuseFormerInterface(fastify: FastifyInstance, errors: ErrorFilter): void {
  const answer = (request: FastifyRequest, reply: FastifyReply) => errors.answer(commonErrors.gone(), request, reply);
  fastify.route({ url: '/api/v3/*', method: methods, exposeHeadRoute: false, onRequest: answer, handler: answer });
}

/** In the form that the router reads. */
const pathOf = ({ url }: FastifyRequest): string =>
  decodeURI(url.replace(/[?#].*/s, ''))
    .replace(/\/{2,}/g, '/')
    .replace(/(.)\/$/, '$1');
