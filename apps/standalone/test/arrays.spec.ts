import 'reflect-metadata';
import type { Schema, SchemaType } from 'mongoose';
import { schemasOfServices } from './collections';

/** Size limit of a MongoDB document. */
const documentBytes = 16 * 1024 ** 2;

interface Declared {
  most?: unknown;
  mostBytes?: unknown;
  /** Entries leave within seconds; if they cannot, the database refuses a document that is too large, and the caller gets 503. */
  passes?: unknown;
}

interface Field {
  name: string;
  type: SchemaType & { schema?: Schema };
  options: Declared & { default?: unknown };
}

/** Including those in lists and nested schemas. */
const fieldsOf = (schema: Schema, before: string): Field[] =>
  Object.entries(schema.paths).flatMap(([path, type]: [string, Field['type']]) => [
    { name: `${before}${path}`, type, options: type.options },
    ...(type.schema ? fieldsOf(type.schema, `${before}${path}.`) : []),
  ]);

const fields = schemasOfServices().flatMap(({ service, schema }) =>
  fieldsOf(schema, `${service}.${schema.get('collection')} `),
);
const arrays = fields.filter(({ type }) => type.instance === 'Array');

const isBounded = ({ options: { most, mostBytes, passes } }: Field): boolean =>
  [Number.isSafeInteger(most), Number(mostBytes) > 0, passes === true].filter(Boolean).length === 1;

/** Estimated size of an element with a number or two; texts and nested schemas need a limit in bytes. */
const bytesOf = ({ type, options: { most, mostBytes } }: Field): number => {
  const isOfNumbers = (type as { embeddedSchemaType?: SchemaType }).embeddedSchemaType?.instance === 'Number';
  return Number(mostBytes ?? Number(most ?? 0) * (isOfNumbers ? 20 : 200));
};

/*
 * A document may have 16 MB, and is read and written whole: data that grows with use has a collection of its own, or
 * its schema states a limit (`most`, `mostBytes`), which its writers enforce.
 */
describe('an array in a document', () => {
  it('has a documented maximum length', () => {
    expect(arrays.filter((field) => !isBounded(field)).map(({ name }) => name)).toEqual([]);
    expect(arrays.length).toBeGreaterThan(100);
  });

  it('is called one', () => {
    const hidden = fields.filter(({ type, options }) => type.instance === 'Mixed' && Array.isArray(options.default));
    expect(hidden.map(({ name }) => name)).toEqual([]);
  });

  it('has room beside the other fields', () => {
    const large = arrays.filter((field) => bytesOf(field) > documentBytes * 0.75);
    expect(large.map(({ name }) => name)).toEqual([]);
  });
});
