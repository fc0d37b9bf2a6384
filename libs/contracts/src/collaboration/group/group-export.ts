import { z } from 'zod';
import { id, internal, operation } from '../../operation';
import { mostOnBoard } from '../board/board';

/*
 * The records of this service in a group export, page by page, for the projects service, which writes and reads the
 * archive. Records refer to each other by title or number, not by id: an import assigns new ids.
 */

const day = z.string().nullable();

export const ExportedLabel = z.object({
  title: z.string(),
  color: z.string(),
  description: z.string().nullable(),
});

export const ExportedMilestone = z.object({
  iid: id,
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['active', 'closed']),
  start_date: day,
  due_date: day,
  created_at: z.string(),
  updated_at: z.string(),
});

export const ExportedBoard = z.object({
  name: z.string(),
  milestone_title: z.string().nullable(),
  label_titles: z.array(z.string()).max(mostOnBoard),
  lists: z
    .array(
      z.object({
        list_type: z.enum(['backlog', 'label', 'milestone', 'closed']),
        label_title: z.string().nullable(),
        milestone_title: z.string().nullable(),
        position: z.int().nullable(),
      }),
    )
    .max(mostOnBoard),
});

export const ExportedEpic = z.object({
  iid: id,
  parent_iid: id.nullable(),
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(['opened', 'closed']),
  confidential: z.boolean(),
  /** Of the exporting instance; an import replaces it by the id of a user of its own. */
  author_id: id,
  label_titles: z.array(z.string()),
  start_date_fixed: day,
  start_date_is_fixed: z.boolean(),
  due_date_fixed: day,
  due_date_is_fixed: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().nullable(),
  /** For an epic with too many notes for one record: the number of notes in its earlier records. */
  notes_before: z.int().min(0).default(0),
  notes: z.array(
    z.object({
      body: z.string(),
      author_id: id,
      system: z.boolean(),
      confidential: z.boolean(),
      created_at: z.string(),
      updated_at: z.string(),
    }),
  ),
});

/** Position in the notes of the next epic. */
const NotesTaken = z.object({ after_note_id: id, notes_before: z.int() });

const kinds = z.enum(['labels', 'milestones', 'boards', 'epics']);
/** In the order of an import: boards and epics refer to labels and milestones. */
export const exportedKinds = kinds.options;

const records = {
  labels: z.array(ExportedLabel).optional(),
  milestones: z.array(ExportedMilestone).optional(),
  boards: z.array(ExportedBoard).optional(),
  epics: z.array(ExportedEpic).optional(),
};

/**
 * Records of one kind of a group, in ascending order of ids after `after_id`; `next_after_id` is null at the end. A
 * page may have fewer than `limit` if they are large. An epic whose notes do not fit is repeated with more of them,
 * without its description: the next page then begins within its notes, after `after_note_id`.
 */
export const exportGroupRecords = operation({
  name: 'collaboration.export.group-records',
  access: internal(),
  input: z.object({
    group_id: id,
    kind: kinds,
    after_id: z.int().default(0),
    after_note_id: z.int().default(0),
    notes_before: z.int().min(0).default(0),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({ ...records, next_after_id: z.int().min(0).nullable(), next_notes: NotesTaken.optional() }),
});

/**
 * Imports records of an archive into a group. Existing records (a label or milestone with the title, an epic with the
 * number, a board with the name) do not change, so a page may arrive twice.
 */
export const importGroupRecords = operation({
  name: 'collaboration.import.group-records',
  access: internal(),
  input: z.object({
    group_id: id,
    /** Labels and milestones of ancestors are also found by title. */
    ancestor_ids: z.array(id).default([]),
    ...records,
  }),
  output: z.object({ created: z.int() }),
  timeoutSeconds: 120,
});
