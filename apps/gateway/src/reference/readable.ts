import { propertyWords } from '@moothall/contracts';
import type { Schema } from './example-of';

type Json = Record<string, unknown>;

/**
 * A schema as people and generators read it: each property says what it means, by its name where its contract says nothing;
 * and without what only repeats, which is the range of integers and old spellings in enumerations.
 */
export function readable(schema: Json): Json {
  const { properties, items, anyOf, oneOf, allOf, additionalProperties, enum: values } = schema as Schema;
  const inside = (one: unknown) => (typeof one === 'object' && one !== null ? readable(one as Json) : one);
  const described = Object.entries(properties ?? {}).map(([name, one]) => [
    name,
    { ...(inside(one) as Json), description: one.description ?? propertyWords[name] },
  ]);
  return {
    ...withoutRangeOfIntegers(schema),
    ...(values && { enum: withoutOldSpellings(values) }),
    ...(properties && { properties: Object.fromEntries(described) }),
    ...(items && { items: inside(items) }),
    ...(anyOf && { anyOf: anyOf.map(inside) }),
    ...(oneOf && { oneOf: oneOf.map(inside) }),
    ...(allOf && { allOf: allOf.map(inside) }),
    ...(additionalProperties !== undefined && { additionalProperties: inside(additionalProperties) }),
  };
}

function withoutRangeOfIntegers({ minimum, maximum, ...rest }: Json): Json {
  return {
    ...rest,
    ...(minimum !== undefined && minimum !== Number.MIN_SAFE_INTEGER && { minimum }),
    ...(maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && { maximum }),
  };
}

/** Some enumerations take `created-by-me` for `created_by_me`; a client that is made of the document needs one of them. */
const withoutOldSpellings = (values: unknown[]): unknown[] =>
  values.filter(
    (value) => typeof value !== 'string' || !value.includes('-') || !values.includes(value.replaceAll('-', '_')),
  );
