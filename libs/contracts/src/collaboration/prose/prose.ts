import { z } from 'zod';

/** Characters, not UTF-16 units: an emoji is one. */
const isWithin = (text: string, maximum: number): boolean =>
  text.length <= maximum || (text.length <= 2 * maximum && [...text].length <= maximum);

/**
 * Text that people write, of at most so many characters. Halves of surrogate pairs are refused: no store keeps them.
 * Wording: docs/api/answers.md#3.
 */
export const prose = (maximum: number) =>
  z
    .string()
    .refine((text) => !/\p{Surrogate}/u.test(text), 'is invalid')
    .refine((text) => isWithin(text, maximum), `is too long (maximum is ${maximum} characters)`);

/** The same, and more than white space. */
export const writtenProse = (maximum: number) => prose(maximum).refine((text) => text.trim() !== '', 'is empty');

export const titleLimit = 255;
export const descriptionLimit = 1_048_576;
export const noteLimit = 1_000_000;
