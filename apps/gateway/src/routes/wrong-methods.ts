import { commonErrors, operations } from '@moothall/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { ErrorFilter } from '../answer/error.filter';
import { pathsOf } from './generated-controllers';

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Answers 405 with Allow where a path is known and the method is not. */
export function refuseWrongMethods(fastify: FastifyInstance, errors: ErrorFilter): void {
  for (const { path, allowed } of knownPaths()) {
    fastify.route({
      url: path,
      method: methods.filter((method) => !allowed.has(method)),
      exposeHeadRoute: false,
      ...unread((request, reply) => {
        reply.header('allow', [...allowed].join(', '));
        errors.answer(commonErrors.wrongMethod(), request, reply);
      }),
    });
  }
}

/** Answers 406 where a path is known and names a format that the interface does not have. */
export function refuseOtherFormats(fastify: FastifyInstance, errors: ErrorFilter): void {
  for (const { path, elsewhere } of knownPaths()) {
    if (!path.endsWith('.json')) continue;
    fastify.route({
      url: path.replace(/json$/, ':unknown_format'),
      method: methods.filter((method) => !elsewhere.has(method)),
      exposeHeadRoute: false,
      ...unread((request, reply) => {
        const { unknown_format: format } = request.params as { unknown_format: string };
        errors.answer(commonErrors.otherFormat(`The requested format '${format}' is not supported.`), request, reply);
      }),
    });
  }
}

/** Answers 410 for the interface before this one. */
export function refuseFormerInterface(fastify: FastifyInstance, errors: ErrorFilter): void {
  const answer = unread((request, reply) => errors.answer(commonErrors.gone(), request, reply));
  fastify.route({ url: '/api/v3/*', method: methods, exposeHeadRoute: false, ...answer });
}

/** Answered whatever the body is: it is not looked at. */
function unread(answer: (request: FastifyRequest, reply: FastifyReply) => void) {
  return {
    onRequest: (request: FastifyRequest, reply: FastifyReply, _done: () => void) => answer(request, reply),
    handler: answer,
  };
}

interface KnownPath {
  path: string;
  allowed: Set<HTTPMethods>;
  /** Those of them by which it is a file below another path, whatever it is called. */
  elsewhere: Set<HTTPMethods>;
}

/** Paths that differ only in the names of their parameters are one path. */
function knownPaths(): KnownPath[] {
  const byShape = new Map<string, KnownPath>();
  for (const operation of operations) {
    for (const route of operation.routes) {
      for (const path of pathsOf(route, operation)) {
        const shape = path.replace(/:\w+/g, ':');
        const known = byShape.get(shape) ?? { path, allowed: new Set(), elsewhere: new Set() };
        known.allowed.add(route.method);
        if (route.method === 'GET') known.allowed.add('HEAD');
        byShape.set(shape, known);
      }
    }
  }
  const open = [...byShape].filter(([shape]) => shape.endsWith('/*'));
  for (const [shape, known] of byShape) {
    const above = open.filter(([prefix]) => shape !== prefix && shape.startsWith(prefix.slice(0, -1)));
    known.elsewhere = new Set(above.flatMap(([, { allowed }]) => [...allowed]));
    known.allowed = new Set([...known.allowed, ...known.elsewhere]);
  }
  return [...byShape.values()];
}
