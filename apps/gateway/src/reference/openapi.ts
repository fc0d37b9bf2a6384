import { setImmediate } from 'node:timers/promises';
import { operations, type Route, writtenRoute } from '@moothall/contracts';
import { tagGroups } from './areas';
import { describeOperation } from './describe-operation';
import { introduction } from './introduction';
import { Schemas } from './schemas';

type Json = Record<string, unknown>;

const errorBody = {
  type: 'object',
  description: 'Either `message` or `error`; OAuth endpoints add `error_description`.',
  properties: { message: {}, error: { type: 'string' }, error_description: { type: 'string' } },
};

/** Operations that share a path stand apart by what chooses between them, for which OpenAPI has no place of its own. */
export const shownPath = (route: Route): string => writtenRoute(route).replace(/:(\w+)/g, '{$1}');

/**
 * The interface as OpenAPI 3.1, made from the contracts that the gateway and the services run on. It takes a while, and
 * lets requests through meanwhile.
 */
export async function openApiDocument(externalUrl: string, version: string): Promise<Json> {
  const schemas = new Schemas();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    await setImmediate();
    for (const route of operation.routes) {
      const path = shownPath(route);
      paths[path] ??= {};
      paths[path][route.method.toLowerCase()] = describeOperation(operation, route, schemas);
    }
  }
  const groups = tagGroups(operations.filter((one) => one.routes.length > 0));
  return {
    openapi: '3.1.0',
    info: { title: 'Moothall', version, description: introduction },
    servers: [{ url: externalUrl }],
    security: [{ privateToken: [] }, { bearer: [] }, {}],
    tags: groups.flatMap(({ tags }) => tags.map((name) => ({ name }))),
    'x-tagGroups': groups,
    paths,
    components: {
      schemas: { ...schemas.components, Error: errorBody },
      securitySchemes: {
        privateToken: { type: 'apiKey', in: 'header', name: 'PRIVATE-TOKEN', description: 'A personal access token' },
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token of OAuth, or a personal access token' },
      },
    },
  };
}
