import { z } from 'zod';

/**
 * A schema as a flat list: `labels[].name` to its types, as `string
 * null`, with `!` if required. Values of enumerations are types, as `="opened"`. Limits of texts and numbers are
 * omitted.
 */
export type Shape = Record<string, string>;

interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
}

interface Field {
  types: Set<string>;
  isRequired: boolean;
}

/** Trees of unknown depth, as children of children. */
const deepest = 8;

export function shapeOf(schema: z.ZodType): Shape {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const fields = new Map<string, Field>();
  walk(root, '', true, { fields, root, depth: 0 });
  const lines = [...fields].map(([path, { types, isRequired }]): [string, string] => [
    path,
    `${[...types].sort().join('|')}${isRequired ? '!' : ''}`,
  ]);
  return Object.fromEntries(lines.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Walk {
  fields: Map<string, Field>;
  root: JsonSchema;
  depth: number;
}

function walk(schema: JsonSchema, path: string, isRequired: boolean, at: Walk): void {
  if (at.depth > deepest) return;
  const below = { ...at, depth: at.depth + 1 };
  const target = schema.$ref === undefined ? schema : resolve(schema.$ref, at.root);
  if (target !== schema) {
    walk(target, path, isRequired, below);
    return;
  }
  note(schema, path, isRequired, at.fields);
  // A field that only one of several forms requires is not required.
  for (const one of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) walkInside(one, path, isRequired, false, below);
  for (const one of schema.allOf ?? []) walkInside(one, path, isRequired, true, below);
  walkChildren(schema, path, true, below);
}

/** One of several forms. */
function walkInside(form: JsonSchema, path: string, isRequired: boolean, isSure: boolean, at: Walk): void {
  const target = form.$ref === undefined ? form : resolve(form.$ref, at.root);
  note(target, path, isRequired, at.fields);
  for (const one of [...(target.anyOf ?? []), ...(target.oneOf ?? []), ...(target.allOf ?? [])])
    walkInside(one, path, isRequired, isSure && target.allOf !== undefined, { ...at, depth: at.depth + 1 });
  walkChildren(target, path, isSure, at);
}

function walkChildren(schema: JsonSchema, path: string, isSure: boolean, at: Walk): void {
  for (const [name, child] of Object.entries(schema.properties ?? {}))
    walk(child, path === '' ? name : `${path}.${name}`, isSure && (schema.required ?? []).includes(name), at);
  if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${path}.*`, false, at);
  for (const item of [schema.items ?? [], schema.prefixItems ?? []].flat()) walk(item, `${path}[]`, false, at);
}

function note(schema: JsonSchema, path: string, isRequired: boolean, fields: Map<string, Field>): void {
  const types = typesOf(schema);
  const known = fields.get(path);
  if (!known) fields.set(path, { types: new Set(types), isRequired });
  else {
    for (const type of types) known.types.add(type);
    known.isRequired &&= isRequired;
  }
}

function typesOf({ type, enum: values, const: value, anyOf, oneOf, allOf }: JsonSchema): string[] {
  if (values) return values.map((one) => `=${JSON.stringify(one)}`);
  if (value !== undefined) return [`=${JSON.stringify(value)}`];
  if (type !== undefined) return [type].flat();
  return (anyOf ?? oneOf ?? allOf) ? [] : ['any'];
}

function resolve(ref: string, root: JsonSchema): JsonSchema {
  return ref === '#' ? root : (root.$defs?.[ref.replace('#/$defs/', '')] ?? {});
}
