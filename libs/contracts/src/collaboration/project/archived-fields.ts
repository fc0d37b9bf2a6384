import { z } from 'zod';
import { id, timestamp } from '../../operation';

/** No archive contains larger numbers; a counter that was set to one would soon be exhausted. */
export const iid = id.max(2 ** 31 - 1);
export const gitSha = z.string().regex(/^[0-9a-f]{40}$/);
export const count = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
export const archivedAwards = z
  .array(z.object({ name: z.string().min(1).max(100), user_id: id, created_at: timestamp }))
  .max(10_000);
