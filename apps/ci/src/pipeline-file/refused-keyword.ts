import { z } from 'zod';

/** A keyword that is not done here is refused by name, so that nobody waits for what it promises. */
export const refused = z
  .unknown()
  .optional()
  .refine((value) => value === undefined, 'is not supported by this server');
