import { exampleTexts } from './example-texts';

/** The part of JSON Schema that contracts use. */
export interface Schema {
  examples?: unknown[];
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  format?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  required?: string[];
  items?: Schema;
  /** Empty in a schema without values: items of a list that is always empty. */
  not?: object;
  $ref?: string;
  description?: string | undefined;
  /** Metadata of contracts; see docs/architecture.md. */
  file?: unknown;
  isBody?: boolean;
  rawBody?: boolean;
  header?: string;
}

/** A realistic example value for a schema, by its name and format. */
export function exampleOf(schema: Schema, name: string, kind = ''): unknown {
  // If not all fields may be given together, the contract has an example.
  if (schema.examples?.[0] !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  const forms = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (isNullable(schema) && isUsuallyNull.test(name)) return null;
  if (forms) return exampleOf(forms.find((form) => form.type !== 'null') ?? {}, name, kind);
  const type = [schema.type].flat().find((one) => one !== 'null');
  if (type === 'object') return exampleObject(schema, name);
  if (type === 'array') return schema.items && !schema.items.not ? [exampleOf(schema.items, singular(name), kind)] : [];
  if (type === 'boolean') return isUsuallyTrue.test(name);
  if (type === 'integer' || type === 'number') return exampleNumber(schema, name);
  if (type === 'string') return exampleText(schema, name, kind);
  return schema.type === 'null' ? null : {};
}

const isNullable = ({ type, anyOf = [] }: Schema): boolean =>
  [type].flat().includes('null') || anyOf.some((form) => form.type === 'null');
const isUsuallyNull =
  /^(closed|merged|resolved|moved|locked|revoked|erased|finished)_|_error$|^(auto_merge|first_deployed)/;
const isUsuallyTrue = /^(active|enabled|default|.*_enabled|can_.*|confidential_.*)$/;
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '');

function exampleObject(schema: Schema, name: string): Record<string, unknown> {
  const fields = Object.entries(schema.properties ?? {});
  const kind = 'username' in (schema.properties ?? {}) ? 'user' : name;
  return Object.fromEntries(fields.map(([field, one]) => [field, exampleOf(one, field, kind)]));
}

function exampleNumber({ minimum = 0, exclusiveMinimum = 0 }: Schema, name: string): number {
  const likely = /(^|_)id$/.test(name) ? 42 : /iid$/.test(name) ? 7 : /level|access$/.test(name) ? 30 : 3;
  return Math.max(likely, minimum, exclusiveMinimum + 1);
}

function exampleText({ format, minLength = 0 }: Schema, name: string, kind: string): string {
  if (format === 'date-time') return '2026-03-14T09:26:53.000Z';
  if (format === 'date') return '2026-03-14';
  const known = exampleTexts[`${kind}.${name}`] ?? exampleTexts[name];
  if (known !== undefined) return known;
  if (/^(due|start|end)_date/.test(name)) return '2026-03-14';
  if (kind === '_links' || /(^|_)(url|uri)$/.test(name)) return 'https://moothall.example.com/ada/engine';
  if (/(^|_)(at|date)$/.test(name)) return '2026-03-14T09:26:53.000Z';
  if (/sha$|^commit$|_commit_id$/.test(name)) return exampleTexts.sha;
  return name.replaceAll('_', ' ').padEnd(minLength, '.');
}
