import { propertyWords } from '@moothall/contracts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiDocument } from './openapi';

type Json = Record<string, unknown>;

const document = openApiDocument('4');

/** Each property of each object schema, anywhere in the document. */
function* propertiesIn(value: unknown, where: string): Generator<{ where: string; name: string; property: Json }> {
  if (Array.isArray(value)) for (const one of value) yield* propertiesIn(one, where);
  else if (typeof value === 'object' && value !== null) {
    const { example: _, examples: __, ...rest } = value as Json;
    const { properties } = rest;
    if (rest.type === 'object' && properties)
      for (const [name, property] of Object.entries(properties)) yield { where, name, property: property as Json };
    for (const [key, inside] of Object.entries(rest)) yield* propertiesIn(inside, `${where}/${key}`);
  }
}

const properties = [...propertiesIn(document, '')];

it('is valid by the recommended rules of Redocly', async () => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  // The API has ambiguous paths (`/projects/user/:id`, `/projects/:id/fork`) and downloads that only redirect.
  expect(new Set(problems.map(({ ruleId }) => ruleId))).toEqual(
    new Set(['no-ambiguous-paths', 'operation-2xx-response']),
  );
}, 60_000);

it('describes every property', () => {
  expect(properties.length).toBeGreaterThan(4000);
  const silent = properties.filter(({ property }) => !property.description);
  expect(silent.map(({ where, name }) => `${where}: ${name}`)).toEqual([]);
});

it('has no description of a property that does not exist', () => {
  const used = new Set(
    properties.filter(({ name, property }) => property.description === propertyWords[name]).map(({ name }) => name),
  );
  expect(Object.keys(propertyWords).filter((name) => !used.has(name))).toEqual([]);
});

it('has a unique id for each operation', () => {
  const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId));
  expect(new Set(ids).size).toBe(ids.length);
});
