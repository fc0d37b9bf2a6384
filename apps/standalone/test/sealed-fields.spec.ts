import 'reflect-metadata';
import { resealings } from '@moothall/contracts';
import { sealedFieldsOf } from '@moothall/database';
import type { Schema } from 'mongoose';
import { schemasOfServices } from './collections';

const kept = schemasOfServices().flatMap(({ service, schema }) =>
  pathsOf(schema).map((path) => ({ service, path, name: `${service}.${schema.get('collection')} ${path}`, schema })),
);
const sealed = schemasOfServices().flatMap(({ service, schema }) =>
  sealedFieldsOf(schema).map((field) => ({ service, name: `${service}.${schema.get('collection')} ${field}` })),
);

/** Paths of fields, including those in lists and nested schemas. */
function pathsOf(schema: Schema, before = ''): string[] {
  return Object.entries(schema.paths).flatMap(([path, { schema: inner }]: [string, { schema?: Schema }]) => [
    `${before}${path}`,
    ...(inner ? pathsOf(inner, `${before}${path}.`) : []),
  ]);
}

// A field that is not listed there keeps the former key, and is lost with it.
it('every field named sealed is encrypted again when keys change', () => {
  const called = kept.filter(({ path }) => /sealed\w*$/i.test(path)).map(({ name }) => name);
  expect(called.filter((name) => !sealed.some((field) => field.name === name))).toEqual([]);
  expect(called.length).toBeGreaterThan(5);
});

it('every service that stores encrypted values rotates them, and no other', () => {
  expect(resealings.map(({ service }) => service).sort()).toEqual(
    [...new Set(sealed.map((one) => one.service))].sort(),
  );
});
