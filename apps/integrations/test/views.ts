import { z } from 'zod';

/** A minimal view of a schema: null or absent wherever that is valid. */
export function viewOf<S extends z.ZodObject>(schema: S, over: Partial<z.input<S>> = {}): z.input<S> {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
  const required = fields.filter(([, field]) => !(field instanceof z.ZodOptional));
  return { ...Object.fromEntries(required.map(([name, field]) => [name, sampleOf(field)])), ...over } as z.input<S>;
}

function sampleOf(field: z.ZodType): unknown {
  if (field instanceof z.ZodNull || field instanceof z.ZodNullable) return null;
  if (field instanceof z.ZodUnion) return sampleOf(field.options[0] as z.ZodType);
  if (field instanceof z.ZodObject) return viewOf(field);
  if (field instanceof z.ZodArray) return [];
  if (field instanceof z.ZodRecord) return {};
  if (field instanceof z.ZodLiteral) return [...field.values][0];
  if (field instanceof z.ZodEnum) return field.options[0];
  if (field instanceof z.ZodNumber) return 1;
  return field instanceof z.ZodBoolean ? false : 'text';
}
