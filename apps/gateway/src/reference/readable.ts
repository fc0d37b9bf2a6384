import { propertyWords } from '@moothall/contracts';
import type { Schema } from './example-of';

type Json = Record<string, unknown>;

/**
 * Prepares a schema for readers and generators: adds a description by name to each property that has none, and leaves out the
 * range of safe integers and old spellings in enumerations.
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

/** Some enumerations have both `created_by_me` and `created-by-me`; generated clients can have only one of them. */
const withoutOldSpellings = (values: unknown[]): unknown[] =>
  values.filter(
    (value) => typeof value !== 'string' || !value.includes('-') || !values.includes(value.replaceAll('-', '_')),
  );
