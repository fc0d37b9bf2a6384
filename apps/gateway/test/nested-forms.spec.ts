import { isDeepStrictEqual } from 'node:util';
import { sampleInput } from '@moothall/testing';
import { z } from 'zod';
import { addressOf, type Fields, pairsOf, parametersOf, routed, startOpenGateway } from './every-operation';

/* Arrays of hashes as flat pairs, in order: `files[][a]=1&files[][b]=2&files[][a]=3` are two elements. */

let open: Awaited<ReturnType<typeof startOpenGateway>>;

beforeAll(async () => {
  open = await startOpenGateway();
});
afterAll(() => open.gateway.stop());

function elementOf(schema: z.ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return elementOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodArray && schema.element instanceof z.ZodObject ? schema.element : undefined;
}

const withHashes = routed.flatMap((operation) =>
  parametersOf(operation).flatMap(([name, schema]) => {
    const element = elementOf(schema);
    return element ? [{ operation, name, element }] : [];
  }),
);

/** An element with all compatible fields, also in nested elements. */
function fullest(element: z.ZodObject): Fields {
  const least = sampleInput(element);
  const full = Object.entries(element.shape).flatMap(([name, field]) => {
    const bare = field instanceof z.ZodOptional || field instanceof z.ZodDefault ? field.unwrap() : field;
    const within = elementOf(bare as z.ZodType);
    const values = within ? { [name]: [fullest(within)] } : sampleInput(z.object({ [name]: bare as z.ZodType }));
    return element.safeParse({ ...least, ...values }).success ? [values] : [];
  });
  return said(Object.assign({}, least, ...full));
}

/** Three different elements: with all fields, with required fields only, with all again. */
function elements(element: z.ZodObject): Fields[] {
  const most = fullest(element);
  return [most, said(sampleInput(element)), most].filter((one) => Object.keys(one).length > 0);
}

/** Pairs cannot represent an empty hash. */
const said = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isDeepStrictEqual(value, {})));

type Form = (pairs: [string, string][]) => { body?: RequestInit['body']; query?: string };
const forms: Record<string, Form> = {
  'a form': (pairs) => ({ body: new URLSearchParams(pairs) }),
  'a multipart body': (pairs) => {
    const body = new FormData();
    for (const [name, value] of pairs) body.append(name, value);
    return { body };
  },
  'the query': (pairs) => ({ query: `?${new URLSearchParams(pairs)}` }),
  'a query without percent signs': (pairs) => ({
    query: `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`,
  }),
};

it('has operations to try', () => {
  expect(withHashes.map(({ operation, name }) => `${operation.name} ${name}`)).toEqual(
    expect.arrayContaining(['repository.commits.create actions', 'ci.pipelines.create variables']),
  );
});

it.each(Object.entries(forms))('reads arrays of hashes in %s, of every operation that has some', async (_, form) => {
  for (const { operation, name, element } of withHashes) {
    const given = elements(element);
    const sample = { ...sampleInput(operation.input), [name]: given };
    const { method, path, rest } = addressOf(operation, sample);
    const { body, query = '' } = form(pairsOf(rest));
    if (method === 'GET' && body) continue;
    const response = await open.gateway.fetch(`${path}${query}`, { method, token: 'root', body: body ?? null });
    const text = await response.text();
    const received = open.received()?.[name];
    const expected = given.map((one) => element.parse(one));
    expect([operation.name, received ?? text, isDeepStrictEqual(received, expected)]).toEqual([
      operation.name,
      expected,
      true,
    ]);
  }
});
