import { z } from 'zod';

/**
 * A pattern for names of tags, in the syntax of RE2. Counted repetitions (`{1000}`) are expanded before a match,
 * which delays others: so length and counts together are limited.
 */
export const namePattern = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((pattern) => repeats(pattern) * pattern.length <= 70_000, 'repeats too much');

/** Limit of steps of a pattern for each character of a name; usual ones need a hundred. */
export const mostPatternSteps = 5_000;

/** The total number of counted repetitions, which end at 1,000 each. */
const repeats = (pattern: string): number =>
  [...pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)].reduce(
    (sum, [, least, most = '']) => sum + Math.max(Number(least), Number(most)),
    0,
  );
