import { z } from 'zod';
import { id, time } from '../../operation';

/** The numbers of states in the v4 interface. See docs/api/iterations.md#2. */
export const iterationStates = { upcoming: 1, current: 2, closed: 3 } as const;

/** See docs/api/iterations.md#1. */
export const Iteration = z.object({
  id,
  iid: id.describe('Number within its group'),
  sequence: z.int().describe('Which one of its cadence it is, by its days'),
  group_id: id,
  title: z.string().nullable(),
  description: z.string().nullable(),
  state: z.literal(Object.values(iterationStates)).describe('1 upcoming, 2 current, 3 closed'),
  created_at: time,
  updated_at: time,
  start_date: z.string(),
  due_date: z.string(),
  web_url: z.string(),
});
export type Iteration = z.infer<typeof Iteration>;

/** A row of iterations of a group. See docs/api/iterations.md#3. */
export const IterationCadence = z.object({
  id,
  group_id: id,
  title: z.string(),
  description: z.string().nullable(),
  active: z.boolean(),
  automatic: z.literal(false),
  start_date: z.string().nullable(),
  duration_in_weeks: z.int().nullable(),
});
export type IterationCadence = z.infer<typeof IterationCadence>;
