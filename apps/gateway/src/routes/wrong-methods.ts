import { commonErrors, type Method, operations } from '@moothall/contracts';
import type { FastifyInstance } from 'fastify';
import type { ErrorFilter } from '../answer/error.filter';
import { pathOf } from './generated-controllers';

const methods: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers 405 with Allow where a path is known and the method is not. */
export function refuseWrongMethods(fastify: FastifyInstance, errors: ErrorFilter): void {
  for (const { path, allowed } of knownPaths()) {
    const allow = [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', ');
    fastify.route({
      url: path,
      method: methods.filter((method) => !allowed.has(method)),
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        reply.header('allow', allow);
        errors.answer(commonErrors.wrongMethod(), request, reply);
      },
    });
  }
}

/** Paths that differ only in the names of their parameters are one path. */
function knownPaths(): { path: string; allowed: Set<Method> }[] {
  const byShape = new Map<string, { path: string; allowed: Set<Method> }>();
  for (const route of operations.flatMap((operation) => operation.routes)) {
    const path = pathOf(route);
    const shape = path.replace(/:\w+/g, ':');
    const known = byShape.get(shape) ?? { path, allowed: new Set() };
    known.allowed.add(route.method);
    byShape.set(shape, known);
  }
  return [...byShape.values()].filter(({ allowed }) => allowed.size < methods.length);
}
