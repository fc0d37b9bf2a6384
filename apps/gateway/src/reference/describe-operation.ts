import { type Operation, parameterWords, type Route } from '@moothall/contracts';
import { z } from 'zod';
import { accessInWords } from './access-in-words';
import { tagOf } from './areas';
import { describeAnswers } from './describe-answers';
import { exampleInput, isFile, resourceOf } from './example-input';
import { exampleOf, type Schema } from './example-of';
import type { Schemas } from './schemas';

type Json = Record<string, unknown>;

interface Inputs {
  properties: Record<string, Schema>;
  required: ReadonlySet<string>;
  example: Record<string, unknown>;
}

/** One route of an operation, as OpenAPI has it. */
export function describeOperation(operation: Operation, route: Route, schemas: Schemas): Json {
  const inputs = inputsOf(operation);
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const elsewhere = new Set([...inPath, ...(route.when ? [route.when.parameter] : [])]);
  const rest = Object.keys(inputs.properties).filter((name) => !elsewhere.has(name));
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE' && rest.length > 0;
  return {
    operationId: `${operation.name}${route === operation.routes[0] ? '' : `-${route.method}-${route.path}`}`,
    tags: [tagOf(operation)],
    summary: operation.summary,
    description: [...(operation.description ? [operation.description] : []), ...accessInWords(operation)].join('\n\n'),
    ...(route.isDeprecated && { deprecated: true }),
    ...(operation.access.on === 'anyone' && { security: [{}] }),
    parameters: [
      ...inPath.map((name) => parameter(name, 'path', inputs, operation)),
      ...(hasBody ? [] : rest.map((name) => parameter(name, 'query', inputs, operation))),
    ],
    ...(hasBody && { requestBody: requestBody(rest, inputs) }),
    responses: describeAnswers(operation, route, schemas),
  };
}

function inputsOf(operation: Operation): Inputs {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const words = (name: string, one: Schema): Schema => ({
    ...one,
    description: one.description ?? parameterWords[name],
  });
  return {
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, one]) => [name, words(name, one)]),
    ),
    required: new Set(schema.required ?? []),
    example: exampleInput(operation, schema),
  };
}

function parameter(name: string, place: 'path' | 'query', inputs: Inputs, operation: Operation): Json {
  const schema = inputs.properties[name] ?? { type: 'string' };
  const isPath = place === 'path';
  const example = isPath
    ? (inputs.example[name] ?? exampleOf(schema, name, resourceOf(operation)))
    : inputs.example[name];
  return {
    name: schema.type === 'array' ? `${name}[]` : name,
    in: place,
    required: isPath || inputs.required.has(name),
    description: schema.description,
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
    schema,
    ...(example !== undefined && schema.default === undefined && { example }),
  };
}

function requestBody(names: string[], { properties, required, example }: Inputs): Json {
  const files = names.filter((name) => isFile(properties[name] ?? {}));
  const shown = (name: string) => (files.includes(name) ? binary(properties[name] ?? {}) : properties[name]);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, shown(name)])),
    required: names.filter((name) => required.has(name)),
  };
  const given = Object.fromEntries(names.flatMap((name) => (name in example ? [[name, example[name]]] : [])));
  const needsFile = files.some((name) => required.has(name));
  return {
    content: {
      ...(!needsFile && { 'application/json': { schema: without(schema, files), example: given } }),
      ...(files.length > 0 && { 'multipart/form-data': { schema } }),
    },
  };
}

const without = ({ properties, ...rest }: { properties: Json }, files: string[]): Json => ({
  ...rest,
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !files.includes(name))),
});

const binary = ({ description }: Schema) => ({ type: 'string', format: 'binary', description });
