import { z } from 'zod';

/** Characters, not UTF-16 units: an emoji is one. */
const isWithin = (text: string, maximum: number): boolean =>
  text.length <= maximum || (text.length <= 2 * maximum && [...text].length <= maximum);

/**
 * Text of users with a maximum number of characters. Unpaired surrogates are refused, since no store accepts them.
 * Messages: docs/api/answers.md#3.
 */
export const prose = (maximum: number) =>
  z
    .string()
    .refine((text) => !/\p{Surrogate}/u.test(text), 'is invalid')
    .refine((text) => isWithin(text, maximum), `is too long (maximum is ${maximum} characters)`);

/** The same, and not only white space. */
export const writtenProse = (maximum: number) => prose(maximum).refine((text) => text.trim() !== '', 'is empty');

export const titleLimit = 255;
export const descriptionLimit = 1_048_576;
export const noteLimit = 1_000_000;
