import { z } from 'zod';

/** A keyword with several forms. Errors are those of the form that matches the type. */
export const oneOfForms = <T>(formOf: (given: unknown) => z.ZodType<T>) =>
  z.unknown().transform((given, context): T => {
    const read = formOf(given).safeParse(given, { reportInput: true });
    if (read.success) return read.data;
    for (const issue of read.error.issues) context.issues.push({ ...issue, input: given } as z.core.$ZodRawIssue);
    return z.NEVER;
  });

/** The short form of a map: a text alone sets one of its values. */
export const textAs = <T extends z.ZodType>(key: string, schema: T) =>
  z.preprocess((given) => (typeof given === 'string' ? { [key]: given } : given), schema);
