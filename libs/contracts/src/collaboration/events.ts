import { z } from 'zod';
import { event, id } from '../operation';
import { noteableTypes } from './noteable/note';

/** A label was deleted: records that refer to it drop it. */
export const labelDeleted = event({
  name: 'collaboration.label.deleted',
  data: z.object({ label_id: id }),
});

/** A milestone was deleted: records that refer to it drop it. */
export const milestoneDeleted = event({
  name: 'collaboration.milestone.deleted',
  data: z.object({ milestone_id: id }),
});

/** An iteration was deleted; its issues have none now. */
export const iterationDeleted = event({
  name: 'collaboration.iteration.deleted',
  data: z.object({ iteration_id: id }),
});

/** A milestone of a project or group was created or changed. */
export const milestoneChanged = event({
  name: 'collaboration.milestone.changed',
  data: z.object({
    action: z.enum(['create', 'update', 'close', 'reopen']),
    user_id: id.describe('The user who did it'),
    milestone: z.object({
      id,
      iid: id,
      project_id: id.nullable(),
      group_id: id.nullable(),
      title: z.string(),
      state: z.enum(['active', 'closed']),
    }),
  }),
});

/** An issue after a change, for hooks and integrations. */
const issue = z.object({
  id,
  iid: id,
  project_id: id,
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['opened', 'closed']),
  confidential: z.boolean(),
  author_id: id,
  assignee_ids: z.array(id),
  label_ids: z.array(id),
  milestone_id: id.nullable(),
  due_date: z.string().nullable(),
  weight: z.int().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

/** An issue was opened, changed, closed, reopened or deleted. */
export const issueChanged = event({
  name: 'collaboration.issue.changed',
  data: z.object({
    action: z.enum(['open', 'update', 'close', 'reopen', 'delete']),
    user_id: id.describe('The user who did it'),
    issue,
    before: issue.partial().optional().describe('The old values of the changed fields'),
  }),
});

/** A user created a note; system notes have no event. */
export const noteCreated = event({
  name: 'collaboration.note.created',
  data: z.object({
    project_id: id.nullable(),
    group_id: id.nullable(),
    note: z.object({
      id,
      body: z.string(),
      author_id: id,
      noteable_type: z.enum(noteableTypes),
      noteable_id: id,
      noteable_iid: id.nullable(),
      commit_id: z.string().optional().describe('Of notes on commits'),
      confidential: z.boolean().describe('Only members from Reporter on read it'),
      insider_ids: z
        .array(id)
        .optional()
        .describe('Of notes on a confidential issue or epic: its author and assignees, who read it too'),
      created_at: z.string(),
      discussion_id: id.optional().describe('The first note of the discussion, if it belongs to one'),
    }),
  }),
});

/** A note was deleted. Notes that are deleted with their record or author have no event. */
export const noteDeleted = event({
  name: 'collaboration.note.deleted',
  data: z.object({
    project_id: id.nullable(),
    group_id: id.nullable(),
    user_id: id.describe('The user who did it'),
    note_id: id,
  }),
});

/** Records that texts refer to by number, as `#12` and `!3`. */
const referable = z.enum(['Issue', 'MergeRequest']);

/** The text of a record refers to other records, which get a system note. */
export const referencesWritten = event({
  name: 'collaboration.references.written',
  data: z.object({
    user_id: id,
    project_id: id,
    source: z.object({ type: referable, id, iid: id }),
    references: z.array(
      z.object({
        project: z.string().nullable().describe('As written; null for the own one'),
        type: referable,
        iid: id,
      }),
    ),
  }),
});

/** An epic was deleted: its issues and child epics have no epic now, and its notes and links are deleted. */
export const epicDeleted = event({
  name: 'collaboration.epic.deleted',
  data: z.object({ epic_id: id, group_id: id }),
});
