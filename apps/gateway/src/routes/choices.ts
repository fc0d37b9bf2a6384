import type { IncomingMessage } from 'node:http';
import { operations } from '@moothall/contracts';
import type { FastifyInstance } from 'fastify';
import { readQuery } from '../parameters/query';

/**
 * Lets the router choose between operations of one path by a parameter in the query, as contracts say (`when`). Where it has
 * none of these values the path leads to its first operation, whose contract refuses it in the words of the interface.
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

/** A parameter in the query of a request that has not been parsed yet; undefined if it is missing or no text. */
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
