import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '@moothall/contracts';
import { sampleInput } from '@moothall/testing';
import { z } from 'zod';
import { bodyFileOf } from '../src/parameters/refuse-plain-files';
import { addressOf, type Fields, pairsOf, parametersOf, routed, startOpenGateway } from './every-operation';

/* Null counts as absent for an optional parameter, unless it clears a value. */

let open: Awaited<ReturnType<typeof startOpenGateway>>;

beforeAll(async () => {
  open = await startOpenGateway();
});
afterAll(() => open.gateway.stop());

/** Operations that read, or whose body is a file. */
const hasQueryOnly = (operation: Operation): boolean =>
  operation.routes[0]!.method === 'GET' || bodyFileOf(operation) !== undefined;

/** @returns the input of the service, or the refusal of the gateway */
async function ask(operation: Operation, fields: Fields, form: 'json' | 'query'): Promise<Fields | string> {
  const { method, path, rest } = addressOf(operation, fields);
  const query = form === 'query' ? `?${new URLSearchParams(pairsOf(rest))}` : '';
  const { status, body } = await open.gateway.ask(`${path}${query}`, {
    method,
    token: 'root',
    ...(form === 'json' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(rest) }),
  });
  return open.received() ?? `${status} ${body}`;
}

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

/** A text that must not be empty, or must have a format, is refused if empty. */
function isText(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return isText(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodString && schema.meta()?.format === undefined;
}

/**
 * @returns optional parameters that are not treated as absent if their value is `empty`, with the input of the service
 */
async function differences(
  asked: readonly Operation[],
  empty: null | '',
  form: 'json' | 'query',
  isMeant: (schema: z.ZodType) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const operation of asked) {
    const sample = sampleInput(operation.input);
    const optional = parametersOf(operation).filter(
      ([name, schema]) => isOptional(schema) && !(name in sample) && isMeant(schema),
    );
    if (optional.length === 0) continue;
    const without = await ask(operation, sample, form);
    const askWith = async (parameters: typeof optional) => {
      const values = Object.fromEntries(parameters.map(([name]) => [name, empty]));
      const received = await ask(operation, { ...sample, ...values }, form);
      return { received, isSame: isSame(parameters, { received, without, empty }) };
    };
    // All in one request; one by one only to name the failing ones.
    if ((await askWith(optional)).isSame) continue;
    for (const parameter of optional) {
      const { received, isSame } = await askWith([parameter]);
      if (!isSame) found.push(`${operation.name} ${parameter[0]}: ${JSON.stringify(received).slice(0, 200)}`);
    }
  }
  return found;
}

/**
 * Whether each parameter is absent, has its default, or is cleared: null if its schema allows null, or an empty list.
 */
function isSame(
  parameters: [name: string, schema: z.ZodType][],
  { received, without, empty }: { received: Fields | string; without: Fields | string; empty: null | '' },
): boolean {
  if (typeof received === 'string' || typeof without === 'string') return received === without;
  const expected = { ...without };
  for (const [name, schema] of parameters) {
    const value = received[name];
    const isNull = value === null && schema.safeParse(null).success;
    const isEmptyList = Array.isArray(value) && value.length === 0 && empty === '';
    if (isNull || isEmptyList) expected[name] = value;
  }
  return isDeepStrictEqual(received, expected);
}

const isNoText = (schema: z.ZodType) => !isText(schema) && !schema.safeParse('').success;
const withBody = routed.filter((operation) => !hasQueryOnly(operation));
const isList = (operation: Operation) => operation.routes[0]!.method === 'GET';

// A query cannot contain null.
it('accepts null for every optional parameter of every operation with a body', async () => {
  expect(await differences(withBody, null, 'json', () => true)).toEqual([]);
}, 600_000);

it('accepts an empty text in JSON for every optional parameter that is no text', async () => {
  expect(await differences(withBody, '', 'json', isNoText)).toEqual([]);
}, 600_000);

it('accepts an empty text in a query for every optional parameter that is no text', async () => {
  const writes = routed.filter((operation) => !isList(operation));
  expect(await differences(writes, '', 'query', isNoText)).toEqual([]);
}, 600_000);

it('accepts an empty text for every optional filter of every list', async () => {
  expect(await differences(routed.filter(isList), '', 'query', () => true)).toEqual([]);
}, 600_000);
