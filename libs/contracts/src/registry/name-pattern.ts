import { z } from 'zod';

/**
 * A pattern for names of tags, in the syntax of RE2. What it counts out (`{1000}`) is written out before anything is
 * matched, which others would wait for: length and counts together are bounded.
 */
export const namePattern = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .refine((pattern) => repeats(pattern) * pattern.length <= 70_000, 'repeats too much');

/** Steps for each character of each name that a pattern may take; usual ones take a hundred. */
export const mostPatternSteps = 5_000;

/** How often counted repetitions, which end at 1,000, say that something is there, all together. */
const repeats = (pattern: string): number =>
  [...pattern.matchAll(/\{(\d{1,4})(?:,(\d{0,4}))?\}/g)].reduce(
    (sum, [, least, most = '']) => sum + Math.max(Number(least), Number(most)),
    0,
  );
