import type { IncomingMessage } from 'node:http';
import { operations } from '@moothall/contracts';
import type { FastifyInstance } from 'fastify';
import { readQuery } from '../parameters/query';

/**
 * Lets the router select between operations of one path by a query parameter, as contracts declare (`when`). For any
 * other value the path leads to its first operation, whose contract refuses it with a v4 error.
 * @see docs/adr/0017-search-by-scope.md
 */
export function chooseByParameters(fastify: FastifyInstance): void {
  const chosenBy = operations.flatMap(({ routes }) => routes.flatMap(({ when }) => when?.parameter ?? []));
  for (const name of new Set(chosenBy)) {
    fastify.addConstraintStrategy({
      name,
      storage: handlersByValue,
      validate: () => true,
      deriveConstraint: (request: IncomingMessage) => choiceIn(name, request.url ?? ''),
    });
  }
}

/** A parameter in the raw query of a request; undefined if it is missing or not text. */
export function choiceIn(name: string, url: string): string | undefined {
  const at = url.indexOf('?');
  if (at < 0 || !url.includes(`${name}=`, at)) return undefined;
  const { [name]: value } = readQuery(url.slice(at + 1));
  return typeof value === 'string' ? value : undefined;
}

function handlersByValue<T>() {
  const handlers = new Map<string, T>();
  return {
    get: (value: string) => handlers.get(value) ?? null,
    set: (value: string, handler: T) => {
      handlers.set(value, handler);
    },
  };
}
