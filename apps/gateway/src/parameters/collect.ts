import { commonErrors, type Operation } from '@moothall/contracts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Fields, nestFields } from './nest-fields';

/**
 * The parameters of a request as one object: the body wins over the query, the path over both.
 * Strings are kept as given, but none may hold NUL. Source: clarifications A.8.
 * Fields of the contract with `header` in their metadata come from that header unless given; one with `rawBody` is the
 * body itself in base64.
 */
export function collectParameters(request: FastifyRequest, { input }: Pick<Operation, 'input'>): Fields {
  const query = request.query as Record<string, string | string[]>;
  const given = { ...nestQuery(query), ...bodyOf(request), ...(request.params as Fields) };
  const fields = { ...outsideFields(request, input), ...given };
  refuseNul(fields);
  return fields;
}

function nestQuery(query: Record<string, string | string[]>): Fields {
  const names = Object.keys(query);
  if (!names.some((name) => name.includes('['))) return query;
  return nestFields(names.flatMap((name) => [query[name]!].flat().map((value) => [name, value] as const)));
}

function bodyOf({ body }: FastifyRequest): Fields {
  const isFields = typeof body === 'object' && body !== null && !Array.isArray(body) && !Buffer.isBuffer(body);
  return isFields ? (body as Fields) : {};
}

interface OutsideField {
  name: string;
  /** Name of the header, or undefined for the body itself. */
  header?: string;
}

const outsideFieldsByInput = new WeakMap<z.ZodType, OutsideField[]>();

/** Fields that stand outside of the parameters; found once for each contract. */
function outsideFieldsOf(input: z.ZodType): OutsideField[] {
  const known = outsideFieldsByInput.get(input);
  if (known) return known;
  const shape = input instanceof z.ZodObject ? Object.entries(input.shape) : [];
  const found = shape.flatMap(([name, schema]): OutsideField[] => {
    const { header, rawBody } = (schema as z.ZodType).meta() ?? {};
    if (typeof header === 'string') return [{ name, header: header.toLowerCase() }];
    return rawBody ? [{ name }] : [];
  });
  outsideFieldsByInput.set(input, found);
  return found;
}

function outsideFields({ headers, body }: FastifyRequest, input: z.ZodType): Fields {
  const fields: Fields = {};
  for (const { name, header } of outsideFieldsOf(input)) {
    if (header !== undefined && typeof headers[header] === 'string') fields[name] = headers[header];
    if (header === undefined && Buffer.isBuffer(body)) fields[name] = body.toString('base64');
  }
  return fields;
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
