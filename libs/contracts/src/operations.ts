import * as ci from './ci';
import * as collaboration from './collaboration';
import * as delivery from './delivery';
import * as geo from './geo';
import * as identity from './identity';
import * as integrations from './integrations';
import * as meta from './meta';
import type { Operation } from './operation';
import * as projects from './projects';
import * as registry from './registry';
import * as repository from './repository';
import * as security from './security';
import * as web from './web';

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'routes' in value && 'access' in value;
}

/** Every operation: the exports of all areas. */
export const operations: readonly Operation[] = [
  meta,
  identity,
  projects,
  repository,
  ci,
  collaboration,
  registry,
  security,
  delivery,
  geo,
  geo.fileOperations,
  integrations,
  web,
].flatMap((area) => Object.values(area).filter(isOperation));

/** The operations of one service. */
export const operationsOf = (service: string): Operation[] =>
  operations.filter((operation) => operation.service === service);
