import { z } from 'zod';
import { errorTable, fileFieldsOf, type Operation, writtenRoute } from './operation';
import { operations } from './operations';

/* Rules of every contract. A failure names the operation. */

const routed = operations.flatMap((operation) => operation.routes.map((route) => ({ operation, route })));
const parametersOf = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!);

function inputNames({ input }: Operation): string[] {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return Object.keys(schema.properties ?? {});
}

it('has every name once', () => {
  const names = operations.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it.each(operations.map((operation) => [operation.name, operation] as const))(
  '%s is named as service.resource.verb',
  (name) => {
    expect(name).toMatch(/^[a-z]+(\.[a-z0-9-]+){2}$/);
  },
);

it('has every route once', () => {
  const shapes = routed.map(({ route }) => `${route.method} ${writtenRoute(route).replace(/:\w+/g, ':')}`);
  expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
});

it('chooses between operations of a path by one parameter, which has to have that value', () => {
  const chosen = routed.flatMap(({ operation, route }) => (route.when ? [{ operation, ...route.when, route }] : []));
  expect(chosen.length).toBeGreaterThan(20);
  for (const { operation, parameter, value, route } of chosen) {
    const { [parameter]: schema } = (operation.input as z.ZodObject).shape as Record<string, z.ZodType>;
    expect([operation.name, schema?.safeParse(value).success]).toEqual([operation.name, true]);
    expect([operation.name, schema?.safeParse(`${value}s`).success]).toEqual([operation.name, false]);
    const beside = routed.filter((other) => other.route.path === route.path && other.route.method === route.method);
    expect(beside.filter((other) => other.route.when?.parameter !== parameter)).toEqual([]);
  }
});

it('declares the parameters of its paths', () => {
  const undeclared = routed.flatMap(({ operation, route }) =>
    parametersOf(route.path)
      .filter((name) => !inputNames(operation).includes(name))
      .map((name) => `${operation.name}: ${name}`),
  );
  expect(undeclared).toEqual([]);
});

it('requires a project or group only below its path', () => {
  const misplaced = routed.filter(
    ({ operation, route }) =>
      ['project', 'group'].includes(operation.access.on) && !parametersOf(route.path).includes('id'),
  );
  expect(misplaced.map(({ operation }) => operation.name)).toEqual([]);
});

it('has a route or a GraphQL mutation, or is for pages, unless it is internal', () => {
  const wrong = operations.filter(({ access, routes, mutation, onPages }) => {
    const ways = [routes.length > 0, mutation !== undefined, onPages === true].filter(Boolean);
    return ways.length !== (access.on === 'internal' ? 0 : 1);
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

it('requires a signed-in caller if it changes something, except those about signing in', () => {
  const open = routed.filter(
    ({ operation, route }) =>
      route.method !== 'GET' &&
      (operation.access.on === 'anyone' || ('anonymous' in operation.access && operation.access.anonymous)),
  );
  expect([...new Set(open.map(({ operation }) => operation.name))]).toMatchSnapshot();
});

// The gateway only looks there; a nested file field would be a plain value that nobody refuses.
it('has files at the top of inputs only', () => {
  const filesIn = (input: z.ZodType) =>
    JSON.stringify(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })).split('"file":{"bytes":').length - 1;
  const deeper = operations.filter(({ input }) => filesIn(input) !== fileFieldsOf(input).size);
  expect(deeper.map(({ name }) => name)).toEqual([]);
  expect(operations.filter(({ input }) => fileFieldsOf(input).size > 0).map(({ name }) => name)).toMatchSnapshot();
});

/** One line, as titles are: a capital, no period. */
const isTitle = (text = ''): boolean => /^[A-Z][^\n]{3,118}[^.\n\s]$/.test(text);
const isProse = (text: string): boolean => /^\S.*[.:)]$/s.test(text);

describe('for the API reference, every operation with a route', () => {
  it('has a summary', () => {
    expect(without(({ summary }) => isTitle(summary))).toEqual([]);
  });

  it('has a description that is more than the summary', () => {
    expect(
      without(({ summary, description = 'None.' }) => isProse(description) && `${summary}.` !== description),
    ).toEqual([]);
  });

  it('names only refusals that there are', () => {
    const codes = operations.flatMap(({ refusals = [] }) => refusals.map((refusal) => refusal.split(' ')[0]!));
    expect(codes.filter((code) => !errorTable.has(code))).toEqual([]);
  });

  it('names none of them twice', () => {
    expect(without(({ refusals = [] }) => new Set(refusals).size === refusals.length)).toEqual([]);
  });
});

function without(isFit: (operation: Operation) => boolean): string[] {
  return operations.filter((one) => one.routes.length > 0 && !isFit(one)).map(({ name }) => name);
}
