import {
  BytesOutput,
  NoOutput,
  type Operation,
  operations,
  PageOutput,
  RawOutput,
  type Route,
} from '@moothall/contracts';
import { z } from 'zod';
import { pathOf } from '../routes/generated-controllers';

type Json = Record<string, unknown>;

const errorBody = {
  type: 'object',
  properties: { message: {}, error: { type: 'string' }, error_description: { type: 'string' } },
};

/** The interface as OpenAPI 3.1, made from the contracts that the gateway and the services run on. */
export function openApiDocument(externalUrl: string, version: string): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    for (const route of operation.routes) {
      const path = pathOf(route).replace(/:(\w+)/g, '{$1}');
      paths[path] ??= {};
      paths[path][route.method.toLowerCase()] = describe(operation, route);
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Moothall', version, description: 'Source hosting and project collaboration, interface version 4.' },
    servers: [{ url: externalUrl }],
    security: [{ privateToken: [] }, { bearer: [] }, {}],
    tags: [...new Set(operations.filter((one) => one.routes.length > 0).map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: errorBody },
      securitySchemes: {
        privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

/** `collaboration.issue-notes.list` stands under `issue notes`. */
const tagOf = (operation: Operation): string => operation.name.split('.').slice(1, -1).join(' ').replaceAll('-', ' ');

function describe(operation: Operation, route: Route): Json {
  const { properties, required } = inputSchema(operation);
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
  const rest = Object.keys(properties).filter((name) => !inPath.includes(name));
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE' && rest.length > 0;
  return {
    operationId: `${operation.name}${route === operation.routes[0] ? '' : `-${route.method}-${route.path}`}`,
    tags: [tagOf(operation)],
    ...(operation.summary && { summary: operation.summary }),
    description: accessInWords(operation),
    ...(route.isDeprecated && { deprecated: true }),
    parameters: [
      ...inPath.map((name) => parameter(name, 'path', properties[name] ?? { type: 'string' }, true)),
      ...(hasBody ? [] : rest.map((name) => parameter(name, 'query', properties[name]!, required.has(name)))),
    ],
    ...(hasBody && { requestBody: requestBody(rest, properties, required) }),
    responses: responses(operation, route),
  };
}

function inputSchema(operation: Operation): { properties: Record<string, Json>; required: Set<string> } {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as Json;
  return {
    properties: (schema.properties ?? {}) as Record<string, Json>,
    required: new Set((schema.required ?? []) as string[]),
  };
}

function parameter(name: string, place: 'path' | 'query', schema: Json, required: boolean): Json {
  const isList = schema.type === 'array';
  const isHash = schema.type === 'object';
  return {
    name: isList ? `${name}[]` : name,
    in: place,
    required: place === 'path' || required,
    ...(isHash && { style: 'deepObject', explode: true }),
    schema,
  };
}

function requestBody(names: string[], properties: Record<string, Json>, required: Set<string>): Json {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, isFile(properties[name]!) ? binary : properties[name]])),
    required: names.filter((name) => required.has(name)),
  };
  const hasFile = names.some((name) => isFile(properties[name]!));
  return { content: { [hasFile ? 'multipart/form-data' : 'application/json']: { schema } } };
}

const binary = { type: 'string', format: 'binary' };
const isFile = (schema: Json): boolean =>
  schema.file !== undefined || ((schema.anyOf as Json[] | undefined)?.some(isFile) ?? false);

function responses(operation: Operation, route: Route): Json {
  const failure = {
    description: 'Refused',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  };
  return { [route.success]: success(operation), '4XX': failure };
}

function success({ output }: Operation): Json {
  if (output instanceof NoOutput) return { description: 'Done' };
  if (output instanceof BytesOutput) return { description: 'Bytes', content: { [output.contentType]: {} } };
  if (output instanceof RawOutput) return { description: 'Text', content: { 'text/html': {} } };
  const item = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const schema = output instanceof PageOutput ? { type: 'array', items: item(output.item) } : item(output);
  return { description: 'Success', content: { 'application/json': { schema } } };
}

const levels: Record<number, string> = { 10: 'Guest', 20: 'Reporter', 30: 'Developer', 40: 'Maintainer', 50: 'Owner' };

function accessInWords({ access, tier }: Operation): string {
  const who = {
    anyone: 'Open to everybody.',
    'signed-in': 'For signed-in users.',
    administrator: 'For administrators.',
    internal: '',
    project: 'For readers of the project.',
    group: 'For readers of the group.',
  }[access.on];
  const level = 'level' in access ? levels[access.level] : undefined;
  const words = level ? `Needs at least ${level} in the ${access.on}.` : who;
  return tier ? `${words} Not in the community edition.` : words;
}
