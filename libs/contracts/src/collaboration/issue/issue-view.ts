import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import { id, time } from '../../operation';
import { References, TaskStatus, TimeStats } from '../issuable/issuable-view';
import { Iteration } from '../iteration/iteration-view';
import { BasicLabel } from '../label/label';
import { Milestone } from '../milestone/milestone-view';

/** See docs/api/issues.md#7. */
export const Issue = z.object({
  id,
  iid: id,
  project_id: id,
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['opened', 'closed']),
  created_at: time,
  updated_at: time,
  closed_at: time.nullable(),
  closed_by: UserSummary.nullable(),
  labels: z.union([z.array(z.string()), z.array(BasicLabel)]).describe('Names; whole labels with with_labels_details'),
  milestone: Milestone.nullable(),
  assignees: z.array(UserSummary),
  author: UserSummary,
  type: z.literal('ISSUE'),
  assignee: UserSummary.nullable(),
  user_notes_count: z.int(),
  merge_requests_count: z.int().describe('Merge requests that close it'),
  upvotes: z.int(),
  downvotes: z.int(),
  due_date: z.string().nullable(),
  confidential: z.boolean(),
  discussion_locked: z.boolean().nullable(),
  issue_type: z.literal('issue'),
  web_url: z.string(),
  time_stats: TimeStats,
  task_completion_status: TaskStatus,
  weight: z.int().nullable().optional().describe('Enterprise edition only'),
  blocking_issues_count: z.int().describe('Open issues that it blocks'),
  has_tasks: z.boolean(),
  task_status: z.string(),
  _links: z.object({ self: z.string(), notes: z.string(), award_emoji: z.string(), project: z.string() }),
  references: References,
  moved_to_id: id.nullable(),
  epic_iid: id.nullable().optional().describe('Enterprise edition only'),
  epic: z
    .object({ id, iid: id, group_id: id, title: z.string(), url: z.string() })
    .nullable()
    .optional()
    .describe('Enterprise edition only'),
  iteration: Iteration.nullable().optional().describe('Enterprise edition only'),
  service_desk_reply_to: z.null(),
  subscribed: z.boolean().optional().describe('In answers about a single issue'),
});
export type Issue = z.infer<typeof Issue>;
