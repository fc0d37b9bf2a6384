import { type Operation, operations, present } from '@moothall/contracts';
import { callerNamed, groupNamed, projectNamed } from '@moothall/testing';
import { z } from 'zod';
import { pathOf } from '../src/routes/generated-controllers';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

let gateway: GatewayUnderTest;
const routed = operations.filter((operation) => operation.routes.length > 0);

beforeAll(async () => {
  gateway = await startGatewayUnderTest({ ARCHIVE_RATE_LIMIT: '0' });
  gateway.knowCaller('root', callerNamed('root', { isAdmin: true }));
  gateway.knowProject(projectNamed('p', { id: 1, visibility: 'public', accessLevel: 50 }));
  gateway.knowGroup(groupNamed('g', { id: 1, visibility: 'public', accessLevel: 50 }));
  for (const operation of routed) gateway.stubs.respond(operation, () => null as never);
});
afterAll(() => gateway.stop());

// Values that no field of the API accepts: each is sent as every field of every operation.
const nonsense: Record<string, unknown> = {
  'an object': { a: { b: [1] } },
  NUL: 'a\0b',
  'a huge number': 1e300,
  'a lone surrogate': '\ud800',
  'a prototype': { __proto__: { x: 1 }, constructor: 1 },
};

function send(operation: Operation, fields: Record<string, unknown>) {
  const route = operation.routes[0]!;
  const path = pathOf(route)
    .replace(/:id\b/, '1')
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(plain(fields[name])));
  const isRead = route.method === 'GET';
  const query = Object.entries(fields).map(([name, value]) => `${name}=${encodeURIComponent(plain(value))}`);
  return gateway.ask(isRead ? `${path}?${query.join('&')}` : path, {
    method: route.method,
    token: 'root',
    ...(!isRead && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) }),
  });
}

const schemas = new Map(
  routed.map((operation) => [operation, z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' })]),
);
const schemaOf = (operation: Operation) => present(schemas.get(operation), 'the schema of a routed operation');

const plain = (value: unknown): string =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).replace(/[\ud800-\udfff]/g, '\ufffd');

it.each(Object.entries(nonsense))(
  'answers %s in every field of every operation without a 500',
  async (_name, value) => {
    for (const operation of routed) {
      const names = Object.keys(schemaOf(operation).properties ?? {});
      const { status, body } = await send(operation, Object.fromEntries(names.map((name) => [name, value])));
      expect([operation.name, status < 500]).toEqual([operation.name, true]);
      if (status >= 400) expect([operation.name, JSON.parse(body)]).toEqual([operation.name, expect.any(Object)]);
    }
  },
  120_000,
);

it('names the missing parameter of every operation that requires one', async () => {
  for (const operation of routed) {
    const required = schemaOf(operation).required ?? [];
    const inPath = operation.routes[0]!.path;
    const missing = required.filter((name) => !inPath.includes(`:${name}`));
    if (missing.length === 0) continue;
    const { status, body } = await send(operation, {});
    expect([operation.name, status]).toEqual([operation.name, 400]);
    const { error } = JSON.parse(body) as { error: string };
    for (const name of missing)
      expect([operation.name, error]).toEqual([operation.name, expect.stringContaining(`${name} is missing`)]);
  }
}, 120_000);
