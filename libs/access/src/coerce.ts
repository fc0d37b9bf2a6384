import { z } from 'zod';

/**
 * Converts a value from the forms in which clients send it (all text in a query or form) to the type of the contract. A
 * value that cannot be converted is returned unchanged, and validation refuses it; undefined counts as absent. See
 * docs/api/requests.md#7.
 */
export type Coercer = (value: unknown) => unknown;

const truths = new Set(['true', '1', 't', 'on', 'yes']);
const falsehoods = new Set(['false', '0', 'f', 'off', 'no']);
const asIs: Coercer = (value) => value;

/** Built once per contract; the result is called for each request. */
export function coercerOf(schema: z.ZodType): Coercer {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return orAbsent(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) return orNull(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodPipe) return coercerOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodNumber) return toNumber;
  if (schema instanceof z.ZodBoolean) return toBoolean;
  if (schema instanceof z.ZodArray) return toArray(schema.element as z.ZodType, isCommaJoined(schema));
  if (schema instanceof z.ZodObject) return toObject(schema);
  if (schema instanceof z.ZodRecord) return toRecord(coercerOf(schema.valueType as z.ZodType));
  if (schema instanceof z.ZodUnion) return toFirstFitting(schema.options as z.ZodType[]);
  if (schema instanceof z.ZodLiteral) return toLiteral([...schema.values]);
  if (schema instanceof z.ZodString) return toText;
  return asIs;
}

const isCommaJoined = (schema: z.ZodType): boolean => schema.meta()?.['x-comma-joined'] === true;

/** Any text; other types, such as dates, have a form that an empty text does not match. */
const isFreeText = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodPipe
    ? isFreeText(schema.in as z.ZodType)
    : schema instanceof z.ZodString && schema.meta()?.format === undefined;

/** An empty text means no value for numbers, dates, enumerations and so on; for texts it is a text. */
function orAbsent(schema: z.ZodType): Coercer {
  const coerce = coercerOf(schema);
  const empty = coerce('');
  if (isFreeText(schema) || schema.safeParse(empty).success) return coerce;
  return (value) => (value === '' ? undefined : coerce(value));
}

/** The same if null clears the value. */
function orNull(schema: z.ZodType): Coercer {
  const coerce = coercerOf(schema);
  const emptyIsText = isFreeText(schema) || schema.safeParse('').success;
  return (value) => (value === null || (value === '' && !emptyIsText) ? null : coerce(value));
}

const toNumber: Coercer = (value) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;

/** Clients send numbers for names and ids that are texts. */
const toText: Coercer = (value) => (typeof value === 'number' ? String(value) : value);

const toBoolean: Coercer = (value) => {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const word = String(value).toLowerCase();
  return truths.has(word) ? true : falsehoods.has(word) ? false : value;
};

function toArray(element: z.ZodType, commaJoined: boolean): Coercer {
  const item = orAbsent(element);
  const takesNull = element.safeParse(null).success;
  const items = (values: unknown[]) =>
    values.filter((value) => value !== null || takesNull).flatMap((value) => item(value) ?? []);
  return (value) => {
    if (commaJoined && (typeof value === 'string' || Array.isArray(value))) return items(splitAll([value].flat()));
    if (Array.isArray(value)) return items(value);
    if (value === '') return [];
    return typeof value === 'object' && value !== null && isNumbered(value)
      ? items(Object.values(value))
      : items([value]);
  };
}

/** An array with one element may also contain several values separated by commas. */
const splitAll = (values: unknown[]): unknown[] =>
  values.flatMap((value) => (typeof value === 'string' ? splitList(value) : [value]));

const splitList = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const isNumbered = (value: object): boolean => Object.keys(value).every((key) => /^\d+$/.test(key));

function toObject(schema: z.ZodObject): Coercer {
  const fields = Object.entries(schema.shape).map(([name, field]) => ({
    name,
    coerce: coercerOf(field as z.ZodType),
    takesNull: (field as z.ZodType).safeParse(null).success,
  }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const given = value as Record<string, unknown>;
    const coerced: Record<string, unknown> = {};
    for (const { name, coerce, takesNull } of fields) {
      if (given[name] === undefined || (given[name] === null && !takesNull)) continue;
      const field = coerce(given[name]);
      if (field !== undefined) coerced[name] = field;
    }
    return coerced;
  };
}

function toRecord(item: Coercer): Coercer {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, item(field)]));
  };
}

function toFirstFitting(options: z.ZodType[]): Coercer {
  const attempts = options.map((option) => ({ option, coerce: coercerOf(option) }));
  return (value) => {
    for (const { option, coerce } of attempts) {
      const coerced = coerce(value);
      if (option.safeParse(coerced).success) return coerced;
    }
    return value;
  };
}

const toLiteral =
  (values: unknown[]): Coercer =>
  (value) =>
    typeof value === 'object' ? value : (values.find((literal) => String(literal) === String(value)) ?? value);
