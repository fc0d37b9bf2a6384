import { refuseUnsound } from '@moothall/access';
import type { Operation } from '@moothall/contracts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { headerText } from '../headers/header-text';
import { withoutSuffix } from './json-suffix';
import type { Fields } from './nest-fields';

type Reading = Pick<Operation, 'input' | 'access' | 'protocol' | 'routes'>;

/**
 * The parameters of a request as one object: the body wins over the query, the path over both. See
 * docs/api/requests.md#5. Fields with `header` in their metadata are read from that header unless given; a field with
 * `rawBody` is the body itself in base64.
 */
export function collectParameters(request: FastifyRequest, operation: Reading): Fields {
  const query = operation.protocol === 'oauth' ? {} : (request.query as Fields);
  const given = { ...query, ...bodyOf(request), ...withoutSuffix(pathFields(request, operation), operation) };
  const fields = { ...outsideFields(request, operation.input), ...given };
  refuseUnsound(fields);
  return fields;
}

/** The router names the end of a path `*`. */
function pathFields({ params }: FastifyRequest, { routes }: Reading): Fields {
  const { '*': rest, ...named } = params as Fields;
  const name =
    rest === undefined
      ? undefined
      : routes
          .find(({ endsInPath }) => endsInPath)
          ?.path.split(':')
          .at(-1);
  return name === undefined ? named : { ...named, [name]: rest };
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

/** Fields from headers or the raw body; computed once per contract. */
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
    const value = header === undefined ? undefined : headerText(headers[header]);
    if (value !== undefined) fields[name] = value;
    if (header === undefined && Buffer.isBuffer(body)) fields[name] = body.toString('base64');
  }
  return fields;
}
