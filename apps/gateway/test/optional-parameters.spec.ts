import type { Operation } from '@moothall/contracts';
import { sampleInput } from '@moothall/testing';
import { z } from 'zod';
import { bodyFileOf } from '../src/parameters/refuse-plain-files';
import { addressOf, type Fields, pairsOf, parametersOf, routed, startOpenGateway } from './every-operation';

/* For an optional parameter, null and nothing are the same, unless null clears what was there. */

let open: Awaited<ReturnType<typeof startOpenGateway>>;

beforeAll(async () => {
  open = await startOpenGateway();
});
afterAll(() => open.gateway.stop());

/** What reads, and what takes its body for a file. */
const hasQueryOnly = (operation: Operation): boolean =>
  operation.routes[0]!.method === 'GET' || bodyFileOf(operation) !== undefined;

/** @returns what the service was given, or how the gateway refused */
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

/** A text that must hold something, or be of a form, says so when it is empty. */
function isText(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return isText(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodString && schema.meta()?.format === undefined;
}

async function differences(
  asked: readonly Operation[],
  empty: null | '',
  form: 'json' | 'query',
  isMeant: (schema: z.ZodType) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const operation of asked) {
    const sample = sampleInput(operation.input);
    const without = await ask(operation, sample, form);
    for (const [name, schema] of parametersOf(operation)) {
      if (!isOptional(schema) || name in sample || !isMeant(schema)) continue;
      const received = await ask(operation, { ...sample, [name]: empty }, form);
      const cleared = typeof without === 'object' && { ...without, [name]: null };
      const listed = typeof without === 'object' && { ...without, [name]: [] };
      const expected = [
        without,
        ...(schema.safeParse(null).success ? [cleared] : []),
        ...(empty === '' ? [listed] : []),
      ];
      if (!expected.some((one) => JSON.stringify(sorted(one)) === JSON.stringify(sorted(received))))
        found.push(`${operation.name} ${name}: ${JSON.stringify(received).slice(0, 200)}`);
    }
  }
  return found;
}

const sorted = (fields: unknown): unknown =>
  typeof fields === 'object' && fields !== null ? Object.fromEntries(Object.entries(fields).sort()) : fields;

const isNoText = (schema: z.ZodType) => !isText(schema) && !schema.safeParse('').success;
const withBody = routed.filter((operation) => !hasQueryOnly(operation));
const isList = (operation: Operation) => operation.routes[0]!.method === 'GET';

// A query has no null.
it('takes null for every optional parameter of every operation with a body', async () => {
  expect(await differences(withBody, null, 'json', () => true)).toEqual([]);
}, 600_000);

it('takes an empty text in JSON for every optional one that is no text', async () => {
  expect(await differences(withBody, '', 'json', isNoText)).toEqual([]);
}, 600_000);

it('takes an empty text in a query for every optional one that is no text', async () => {
  const writes = routed.filter((operation) => !isList(operation));
  expect(await differences(writes, '', 'query', isNoText)).toEqual([]);
}, 600_000);

it('takes an empty text for every optional filter of every list', async () => {
  expect(await differences(routed.filter(isList), '', 'query', () => true)).toEqual([]);
}, 600_000);
