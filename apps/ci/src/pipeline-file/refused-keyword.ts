import { z } from 'zod';

/** An unsupported keyword is refused by name, so that nobody expects its effect. */
export const refused = z
  .unknown()
  .optional()
  .refine((value) => value === undefined, 'is not supported by this server');
