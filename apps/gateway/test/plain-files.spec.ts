import { type Operation, operations } from '@moothall/contracts';
import { UploadedFiles } from '@moothall/data-port';
import { callerNamed, groupNamed, projectNamed, sampleInput, ticketKey } from '@moothall/testing';
import { filesOf } from '../src/parameters/refuse-plain-files';
import { pathOf } from '../src/routes/generated-controllers';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

/* Files come from multipart bodies only; nothing that a client sends in their place reaches a service. */

let gateway: GatewayUnderTest;
const asked = new Map<Operation, Record<string, unknown>>();
const routed = operations.filter(({ routes }) => routes.length > 0);
const fields = routed.flatMap((operation) =>
  [...filesOf(operation)].map(([field, { isBody }]) => ({ field, isBody, operation })),
);
const takingFiles = fields.map(({ field, operation }) => [operation.name, field, operation] as const);
/** For these operations a body that is not multipart is the file. */
const takingBodies = new Set(fields.filter(({ isBody }) => isBody).map(({ operation }) => operation));

beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  gateway.knowCaller('root', callerNamed('root', { isAdmin: true }));
  gateway.knowProject(projectNamed('p', { id: 1, accessLevel: 50 }));
  gateway.knowGroup(groupNamed('g', { id: 1, accessLevel: 50 }));
  for (const [, , operation] of takingFiles) {
    if (operation.admittedBy) gateway.stubs.respond(operation.admittedBy, () => null as never);
    gateway.stubs.respond(operation, (input) => {
      asked.set(operation, input);
      return null as never;
    });
  }
  await gateway.stubs.received();
});
afterAll(() => gateway?.stop());
beforeEach(() => asked.clear());

const secret = 'http://127.0.0.1:1/secret.txt';
const looksLikeAFile = { url: secret, ticket: 'a', filename: 'x.txt', contentType: 'text/plain', sizeBytes: 5 };
type Make = (
  field: string,
  rest: Record<string, string>,
) => { body: string | FormData; headers?: Record<string, string> };
const json =
  (value: unknown): Make =>
  (field, rest) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...rest, [field]: value }),
  });
const form =
  (pairs: string): Make =>
  (field, rest) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams(rest)}&${pairs.replaceAll('FIELD', field)}`,
  });
const multipart =
  (name: string, value: string | Blob): Make =>
  (field, rest) => {
    const body = new FormData();
    for (const [other, text] of Object.entries(rest)) body.set(other, text);
    body.set(name.replaceAll('FIELD', field), value);
    return { body };
  };

const shapes: Record<string, Make> = {
  'an object of JSON': json(looksLikeAFile),
  'a list of JSON': json([looksLikeAFile]),
  'a text of JSON': json(secret),
  'a number of JSON': json(5),
  'true in JSON': json(true),
  'a hash of a form': form(`FIELD[url]=${secret}&FIELD[ticket]=a&FIELD[sizeBytes]=5`),
  'a list of a form': form(`FIELD[]=${secret}`),
  'a text of a form': form(`FIELD=${secret}`),
  'a text of multipart': multipart('FIELD', secret),
  'a hash of multipart': multipart('FIELD[ticket]', 'a'),
  'a file below the field': multipart('FIELD[ticket]', new Blob(['x'])),
};

/** The other required parameters of the operation. */
function restOf(operation: Operation): Record<string, string> {
  const sampled = Object.entries(sampleInput(operation.input)).filter(([name]) => !filesOf(operation).has(name));
  return Object.fromEntries(sampled.map(([name, value]) => [name, String(value)]));
}

const send = (operation: Operation, field: string, make: Make, query = '') => {
  const route = operation.routes[0]!;
  const path = pathOf(route).replace(/:\w+/g, '1');
  return gateway.fetch(`${path}${query}`, {
    method: route.method,
    token: 'root',
    ...make(field, restOf(operation)),
  });
};

describe.each(takingFiles)('%s, in place of %s', (_name, field, operation) => {
  const isMultipart = ([shape]: [string, Make]) => /multipart|below/.test(shape);
  const refused = Object.entries(shapes).filter((entry) => !takingBodies.has(operation) || isMultipart(entry));
  it.each(refused)('refuses %s', async (_shape, make) => {
    const response = await send(operation, field, make);
    expect([response.status, await response.json()]).toEqual([400, { error: expect.stringContaining(field) }]);
    expect(asked.size).toBe(0);
  });

  it('refuses a value in the query', async () => {
    const response = await send(operation, field, json(undefined), `?${field}[ticket]=a`);
    expect(response.status).toBe(400);
    expect(asked.size).toBe(0);
  });

  it('accepts a file, and checks its digest', async () => {
    const response = await send(operation, field, multipart('FIELD', new File(['bytes'], 'ü.txt')));
    await response.arrayBuffer();
    expect(response.status).toBeLessThan(300);
    const { ticket } = asked.get(operation)![field] as { ticket: string };
    const files = new UploadedFiles(ticketKey);
    const limit = { bytes: 100, tooLarge: () => new Error() as never };
    expect(files.open({ ticket }, limit)).toMatchObject({ filename: 'ü.txt' });
  });
});
