import { commonErrors } from '@moothall/contracts';
import type { FastifyRequest } from 'fastify';
import { type Fields, nestFields } from './nest-fields';

/**
 * The parameters of a request as one object: the body wins over the query, the path over both.
 * Strings are kept as given, but none may hold NUL. Source: clarifications A.8.
 */
export function collectParameters(request: FastifyRequest): Fields {
  const query = request.query as Record<string, string | string[]>;
  const fields = { ...nestQuery(query), ...bodyOf(request), ...(request.params as Fields) };
  refuseNul(fields);
  return fields;
}

function nestQuery(query: Record<string, string | string[]>): Fields {
  const names = Object.keys(query);
  if (!names.some((name) => name.includes('['))) return query;
  return nestFields(names.flatMap((name) => [query[name]!].flat().map((value) => [name, value] as const)));
}

function bodyOf({ body }: FastifyRequest): Fields {
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Fields) : {};
}

function refuseNul(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw commonErrors.badRequest();
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, field] of Object.entries(value)) {
      refuseNul(key);
      refuseNul(field);
    }
  }
}
