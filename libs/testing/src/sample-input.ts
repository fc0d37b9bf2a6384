import { z } from 'zod';

type Fields = Record<string, unknown>;

// One of these pleases each text field of the interface.
const texts = [
  'x',
  'xxxxxxxx',
  'a@example.com',
  '2020-10-15',
  'https://example.com/x',
  '* * * * *',
  'x'.repeat(64),
  '.*',
  '#112233',
  '1h',
  '1.2.3',
  'a'.repeat(40),
];

/** A valid input of an operation: required fields, and as few others as its rules need. */
export function sampleInput(schema: z.ZodType): Fields {
  if (!(schema instanceof z.ZodObject)) return {};
  const required = Object.entries(schema.shape).filter(
    ([, field]) => !(field as z.ZodType).safeParse(undefined).success,
  );
  const minimal = Object.fromEntries(required.map(([name, field]) => [name, sample(field as z.ZodType)]));
  if (schema.safeParse(minimal).success) return minimal;
  const samples = Object.entries(schema.shape).map(([name, field]) => [name, sample(field as z.ZodType)] as const);
  // Rules over several parameters require one or two more.
  for (const [name, value] of samples) {
    for (const [other, otherValue] of samples) {
      for (const more of [
        { ...minimal, [name]: value },
        { ...minimal, [name]: value, [other]: otherValue },
      ]) {
        if (schema.safeParse(more).success) return more;
      }
    }
  }
  throw new Error(
    `no sample found for ${JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))}`,
  );
}

/** A valid value of a field. */
export function sample(schema: z.ZodType): unknown {
  const candidates = candidatesOf(schema);
  return candidates.find((candidate) => schema.safeParse(candidate).success) ?? candidates[0];
}

function candidatesOf(schema: z.ZodType): unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return candidatesOf(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => candidatesOf(option as z.ZodType));
  if (schema instanceof z.ZodEnum) return schema.options;
  if (schema instanceof z.ZodLiteral) return [...schema.values];
  if (schema instanceof z.ZodNumber) return [1, 10, 30];
  if (schema instanceof z.ZodBoolean) return [true];
  if (schema instanceof z.ZodArray)
    return [[sample(schema.element as z.ZodType)], [1, 2].map(() => sample(schema.element as z.ZodType))];
  if (schema instanceof z.ZodRecord) return [{ key: 'value' }];
  if (schema instanceof z.ZodObject) return [sampleInput(schema)];
  return texts;
}
