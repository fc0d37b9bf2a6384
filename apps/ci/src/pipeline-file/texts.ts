import { z } from 'zod';

/** One text or a list, as a list. */
export const listOfTexts = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());
