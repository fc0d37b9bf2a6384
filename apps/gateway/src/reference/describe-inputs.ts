import { type Operation, parameterWords, type Route } from '@moothall/contracts';
import { z } from 'zod';
import type { DescribedParameter } from './document';
import { exampleInput, isFile, resourceOf } from './example-input';
import { exampleOf, type Schema } from './example-of';
import { readable } from './readable';

type Json = Record<string, unknown>;

interface Input {
  name: string;
  schema: Schema;
  isRequired: boolean;
  example: unknown;
}

interface DescribedInputs {
  parameters: DescribedParameter[];
  requestBody?: Json;
}

/** The parameters of an operation's route: in the path, the query, a header or the body. */
export function describeInputs(operation: Operation, route: Route, shownPath: string): DescribedInputs {
  const inputs = inputsOf(operation);
  const inPath = pathParameters(operation, route, shownPath, inputs);
  const names = new Set([...inPath.map(({ input }) => input.name), route.when?.parameter]);
  const others = inputs.filter(({ name }) => !names.has(name));
  const inHeader = others.filter(({ schema }) => schema.header);
  const isRaw = others.some(({ schema }) => isWholeBody(schema));
  const hasBody = route.method !== 'GET' && route.method !== 'DELETE' && others.length > 0;
  const inQuery = isRaw ? others.filter(({ schema }) => !isWholeBody(schema) && !schema.header) : others;
  return {
    parameters: [
      ...inPath.map(({ input, shownName }) => ({ ...parameter(input, 'path'), name: shownName, required: true })),
      ...(hasBody && !isRaw ? [] : inQuery.map((input) => parameter(input, 'query'))),
      ...inHeader.map((input) => headerParameter(input, isRaw)),
    ],
    ...(hasBody && { requestBody: isRaw ? rawBody : requestBody(others) }),
  };
}

function inputsOf(operation: Operation): Input[] {
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as Schema;
  const example = exampleInput(operation, schema);
  return Object.entries(schema.properties ?? {}).map(([name, one]) => ({
    name,
    schema: { ...readable(one as Json), description: one.description ?? parameterWords[name] },
    isRequired: (schema.required ?? []).includes(name),
    example: example[name],
  }));
}

function pathParameters(operation: Operation, { path }: Route, shownPath: string, inputs: Input[]) {
  const shownNames = [...shownPath.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [...path.matchAll(/:(\w+)/g)].map(([, name = ''], index) => {
    const found = inputs.find((input) => input.name === name);
    const { schema = { type: 'string' }, example } = found ?? {};
    const input = {
      name,
      isRequired: true,
      schema,
      example: example ?? exampleOf(schema, name, resourceOf(operation)),
    };
    return { shownName: shownNames[index] ?? name, input: isReference(schema) ? asReference(input) : input };
  });
}

/** A path segment is text, although its value may be a number. */
const isReference = ({ type, description = '' }: Schema): boolean =>
  type === 'string' && description.startsWith('Id or ');
const asReference = (input: Input): Input => ({
  ...input,
  schema: { ...input.schema, type: ['integer', 'string'] },
  example: 42,
});

function parameter({ name, schema, isRequired, example }: Input, place: 'path' | 'query'): DescribedParameter {
  return {
    name: schema.type === 'array' ? `${name}[]` : name,
    in: place,
    required: isRequired,
    description: schema.description,
    ...(schema.type === 'object' && { style: 'deepObject', explode: true }),
    schema: shown(schema),
    ...(example !== undefined && schema.default === undefined && { example }),
  };
}

/** @param isRaw whether it can only be sent in the header */
const headerParameter = ({ name, schema, isRequired }: Input, isRaw: boolean): DescribedParameter => ({
  name: schema.header ?? name,
  in: 'header',
  required: isRaw && isRequired,
  description: schema.description,
  schema: shown(schema),
});

function requestBody(inputs: Input[]): Json {
  const isGiven = inputs.filter(({ example }) => example !== undefined);
  const example = Object.fromEntries(isGiven.map((input) => [input.name, input.example]));
  const files = inputs.filter(({ schema }) => isFile(schema));
  const withoutFiles = inputs.filter((input) => !files.includes(input));
  const needsFile = files.some(({ isRequired }) => isRequired);
  return {
    required: inputs.some(({ isRequired }) => isRequired),
    content: {
      ...(!needsFile && { 'application/json': { schema: objectOf(withoutFiles), example } }),
      ...(files.length > 0 && { 'multipart/form-data': { schema: objectOf(inputs) } }),
    },
  };
}

const objectOf = (inputs: Input[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(inputs.map(({ name, schema }) => [name, shown(schema)])),
  required: inputs.flatMap(({ name, isRequired }) => (isRequired ? [name] : [])),
});

/** A schema without metadata for the gateway. */
function shown(schema: Schema): Json {
  const { file: _, isBody: __, rawBody: ___, header: ____, description, ...rest } = schema;
  return { ...(isFile(schema) ? { type: 'string', format: 'binary' } : rest), description };
}

const isWholeBody = ({ rawBody, isBody }: Schema): boolean => rawBody === true || isBody === true;

const rawBody = {
  required: true,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
};
