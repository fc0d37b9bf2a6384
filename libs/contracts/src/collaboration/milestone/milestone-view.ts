import { z } from 'zod';
import { id, time } from '../../operation';

/** See docs/api/milestones.md#1. */
export const Milestone = z.object({
  id,
  iid: id,
  project_id: id.optional().describe('Of project milestones'),
  group_id: id.optional().describe('Of group milestones'),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['active', 'closed']),
  created_at: time,
  updated_at: time,
  due_date: z.string().nullable(),
  start_date: z.string().nullable(),
  expired: z.boolean().describe('Its due date has passed'),
  web_url: z.string(),
});
export type Milestone = z.infer<typeof Milestone>;
