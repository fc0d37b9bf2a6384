import { graphqlSchema } from '@moothall/contracts';
import { buildSchema, getIntrospectionQuery, getOperationAST, parse } from 'graphql';
import { graphqlLimits } from './limits';
import { measure } from './measure';

const schema = buildSchema(graphqlSchema);

function costOf(query: string, variables: Record<string, unknown> = {}) {
  const document = parse(query);
  return measure(schema, document, getOperationAST(document)!, variables);
}

const page = (first: string) => `projects(first: ${first}) { nodes { id mergeRequests(first: 20) { nodes { iid } } } }`;

it('counts a field as one, and fields of a page by its size', () => {
  expect(costOf('{ currentUser { id name } }')).toEqual({ complexity: 3, questions: 1, values: 3 });
  expect(costOf('{ projects(first: 50) { nodes { id } } }')).toEqual({ complexity: 4, questions: 1, values: 52 });
  // 1 + 50, and 20 of each of them.
  expect(costOf(`{ ${page('50')} }`)).toMatchObject({ questions: 51, values: 1 + 1 + 50 * 3 + 50 * 20 });
});

it.each([
  ['a variable', 'query ($n: Int) { projects(first: $n) { nodes { id } } }', { n: 5 }, 7],
  ['its default', 'query ($n: Int = 5) { projects(first: $n) { nodes { id } } }', {}, 7],
  ['nothing', '{ projects { nodes { id } } }', {}, 102],
  ['too much', '{ projects(first: 100000) { nodes { id } } }', {}, 102],
  ['what is no number', 'query ($n: Int) { projects(first: $n) { nodes { id } } }', { n: ['x'] }, 102],
  ['less than nothing', '{ projects(first: -100000) { nodes { id } } }', {}, 102],
])('reads the size of a page from %s', (_what, query, variables, values) => {
  expect(costOf(query, variables).values).toBe(values);
});

it('counts fragments at every place', () => {
  const user = 'fragment U on UserCore { id name }';
  expect(costOf(`${user} { a: user(username: "a") { ...U } b: user(username: "b") { ...U } }`)).toEqual({
    complexity: 6,
    questions: 2,
    values: 6,
  });
  expect(costOf('{ users(usernames: ["a"]) { count } }').questions).toBe(graphqlLimits.listed);
});

it.each([
  ['that contain themselves', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }', /contains itself/],
  ['that double', `{ ...F0 } ${doubling(30)}`, /more than 1000 fields/],
  [
    'of too many aliases',
    `{ ${Array.from({ length: 1001 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
    /1000 fields/,
  ],
  ['that nest too deep', `{ ${'project { '.repeat(21)} id ${'}'.repeat(21)} }`, /depth of more than 20/],
])('refuses documents %s', (_what, query, message) => {
  expect(() => costOf(query)).toThrow(message);
});

function doubling(levels: number): string {
  const each = Array.from({ length: levels }, (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`);
  return [...each, `fragment F${levels} on Query { __typename }`].join(' ');
}

it('allows introspection once, and not nested', () => {
  const { complexity, values } = costOf(getIntrospectionQuery());
  expect(complexity).toBe(0);
  expect(values).toBeLessThan(graphqlLimits.values);
  const square =
    '{ __schema { types { fields { type { fields { type { fields { name description isDeprecated deprecationReason } } } } } } } }';
  expect(costOf(square).values).toBeGreaterThan(graphqlLimits.values);
});
