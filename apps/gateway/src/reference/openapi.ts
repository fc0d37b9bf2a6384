import { type Operation, operations, type Route, writtenRoute } from '@moothall/contracts';
import { tagGroups } from './areas';
import { answerComponents } from './describe-answers';
import { describeChoice } from './describe-choice';
import { describeOperation } from './describe-operation';
import type { OpenApiDocument } from './document';
import { introduction } from './introduction';
import { Schemas } from './schemas';
import { signedIn } from './security';

const errorBody = {
  type: 'object',
  description: 'Either `message` or `error`; OAuth endpoints add `error_description`.',
  properties: {
    message: { description: 'Errors of a record or a permission: a text, or texts by property' },
    error: { type: 'string', description: 'Error of the request' },
    error_description: { type: 'string', description: 'The same for people' },
  },
};

/** The operations of a method and path: several if a query parameter selects between them. */
interface Endpoint {
  path: string;
  method: string;
  answering: { operation: Operation; route: Route }[];
}

/** The API as OpenAPI 3.1, generated from the contracts. */
export function openApiDocument(version: string): OpenApiDocument {
  const routed = operations.filter(({ routes }) => routes.length > 0);
  const schemas = new Schemas(routed);
  const paths: OpenApiDocument['paths'] = {};
  for (const { path, method, answering } of endpointsOf(routed)) {
    const [only] = answering.length === 1 ? answering : [];
    paths[path] ??= {};
    paths[path][method] = only
      ? describeOperation(only.operation, only.route, path, schemas)
      : describeChoice(answering, path, schemas);
  }
  const groups = tagGroups(routed);
  return {
    openapi: '3.1.0',
    info: { title: 'Moothall', version, description: introduction, license: { name: 'MIT', identifier: 'MIT' } },
    // The server of the document, with any host.
    servers: [{ url: '/' }],
    security: signedIn,
    tags: groups.flatMap(({ name, tags }) => tags.map((tag) => ({ name: tag, description: `Part of: ${name}` }))),
    'x-tagGroups': groups,
    paths,
    components: {
      schemas: { ...schemas.components, Error: errorBody },
      ...answerComponents(routed),
      securitySchemes: {
        privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN', description: 'A personal access token' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token of OAuth, or a personal access token' },
      },
    },
  };
}

/** Paths that differ only in parameter names are one path in OpenAPI; it has the names of the first. */
function endpointsOf(routed: readonly Operation[]): Iterable<Endpoint> {
  const paths = new Map<string, string>();
  const endpoints = new Map<string, Endpoint>();
  for (const operation of routed)
    for (const route of operation.routes) {
      const written = writtenRoute({ ...route, when: undefined }).replace(/:(\w+)/g, '{$1}');
      const shape = written.replaceAll(/\{\w+\}/g, '{}');
      const path = paths.get(shape) ?? written;
      paths.set(shape, path);
      const method = route.method.toLowerCase();
      const endpoint = endpoints.get(`${method} ${path}`) ?? { path, method, answering: [] };
      endpoint.answering.push({ operation, route });
      endpoints.set(`${method} ${path}`, endpoint);
    }
  return endpoints.values();
}
