import { z } from 'zod';

export const TimeStats = z.object({
  time_estimate: z.int().describe('Seconds'),
  total_time_spent: z.int().describe('Seconds'),
  human_time_estimate: z.string().nullable(),
  human_total_time_spent: z.string().nullable(),
});
export type TimeStats = z.infer<typeof TimeStats>;

/** Short, relative and full references of issues, merge requests and epics. */
export const References = z.object({ short: z.string(), relative: z.string(), full: z.string() });

export const TaskStatus = z.object({ count: z.int(), completed_count: z.int() });
