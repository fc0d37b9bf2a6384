import { z } from 'zod';

export const scalar = z.union([z.string(), z.number(), z.boolean()]);
type Scalar = z.infer<typeof scalar>;

export const variables = z
  .record(z.string(), z.union([scalar, z.null(), z.object({ value: scalar.default('') })]))
  .transform((map) => Object.fromEntries(Object.entries(map).map(([key, value]) => [key, textOf(value)])));

const textOf = (value: Scalar | null | { value: Scalar }): string =>
  value === null ? '' : String(typeof value === 'object' ? value.value : value);
