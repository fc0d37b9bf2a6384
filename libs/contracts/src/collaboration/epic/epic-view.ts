import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import { id, time } from '../../operation';
import { References } from '../issuable/issuable-view';
import { BasicLabel } from '../label/label';

const day = z.string().nullable();

/** See docs/api/epics.md#2. */
export const Epic = z.object({
  id,
  iid: id,
  group_id: id,
  parent_id: id.nullable(),
  parent_iid: id.nullable(),
  title: z.string(),
  description: z.string().nullable(),
  confidential: z.boolean(),
  author: UserSummary,
  start_date: day,
  start_date_is_fixed: z.boolean(),
  start_date_fixed: day,
  start_date_from_milestones: day.describe('The earliest among its issues'),
  end_date: day.describe('Older name of due_date'),
  due_date: day,
  due_date_is_fixed: z.boolean(),
  due_date_fixed: day,
  due_date_from_milestones: day.describe('The latest among its issues'),
  state: z.enum(['opened', 'closed']),
  web_url: z.string(),
  web_edit_url: z.string(),
  reference: z.string(),
  references: References,
  created_at: time,
  updated_at: time,
  closed_at: time.nullable(),
  labels: z.union([z.array(z.string()), z.array(BasicLabel)]).describe('Names; whole labels with with_labels_details'),
  upvotes: z.int(),
  downvotes: z.int(),
  user_notes_count: z.int(),
  subscribed: z.boolean().optional().describe('In answers about a single epic'),
  _links: z.object({ self: z.string(), epic_issues: z.string(), group: z.string(), parent: z.string().nullable() }),
});
export type Epic = z.infer<typeof Epic>;
