import { type Operation, operations } from '@moothall/contracts';
import { callerNamed, groupNamed, projectNamed } from '@moothall/testing';
import { z } from 'zod';
import { pathOf } from '../src/routes/generated-controllers';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

export type Fields = Record<string, unknown>;

export const routed = operations.filter((operation) => operation.routes.length > 0);

/** Including optional ones and those with a default, but without path parameters. */
export function parametersOf({ input, routes }: Operation): [name: string, schema: z.ZodType][] {
  const shape = input instanceof z.ZodObject ? (input.shape as Record<string, z.ZodType>) : {};
  return Object.entries(shape).filter(([name]) => !routes[0]!.path.split('/').includes(`:${name}`));
}

/** A gateway with services that accept everything and store their last input. */
export async function startOpenGateway(): Promise<{ gateway: GatewayUnderTest; received: () => Fields | undefined }> {
  const gateway = await startGatewayUnderTest({ ARCHIVE_RATE_LIMIT: '0' });
  gateway.knowCaller('root', callerNamed('root', { isAdmin: true }));
  gateway.knowProject(projectNamed('p', { id: 1, visibility: 'public', accessLevel: 50 }));
  gateway.knowGroup(groupNamed('g', { id: 1, visibility: 'public', accessLevel: 50 }));
  let last: Fields | undefined;
  for (const operation of routed) {
    gateway.stubs.respond(operation, (input) => {
      last = input as Fields;
      return null as never;
    });
  }
  const received = () => {
    const input = last;
    last = undefined;
    return input;
  };
  return { gateway, received };
}

/** The URL of an operation with filled path parameters, and the remaining fields. */
export function addressOf(operation: Operation, fields: Fields): { method: string; path: string; rest: Fields } {
  const route = operation.routes[0]!;
  const rest = { ...fields };
  const path = pathOf(route).replace(/:(\w+)/g, (_, name: string) => {
    const value = name === 'id' && 'level' in operation.access ? 1 : (fields[name] ?? 1);
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  return { method: route.method, path, rest };
}

/** Fields as the pairs of a query or form, in Rack's notation. */
export function pairsOf(value: unknown, name = ''): [string, string][] {
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(item, `${name}[]`));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, field]) => pairsOf(field, name ? `${name}[${key}]` : key));
  return [[name, String(value ?? '')]];
}
