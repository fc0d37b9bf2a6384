import { z } from 'zod';
import { date, id, internal, internalOnProject, operation, timestamp } from '../../operation';
import { ExportedBoard, ExportedLabel, ExportedMilestone } from '../group/group-export';
import { NotePosition } from '../noteable/note';
import { descriptionLimit, noteLimit, prose, titleLimit, writtenProse } from '../prose/prose';
import { archivedAwards as awards, count, gitSha, iid } from './archived-fields';
import { ExportedApprovalSettings, exportedApprovalRules } from './exported-approvals';
import { ExportedIssueLink, eventfulTypes, eventRecordKinds, exportedEvents, NamedIteration } from './exported-events';
import { ExportedCommit, ExportedSnippet } from './exported-snippet';

/*
 * The records of this service in a project export, page by page, for the projects service, which writes and reads the
 * archive. Records refer to each other by title or number, not by id: an import assigns new ids. Users are named by
 * their ids in the exporting instance, in fields that `archivedUserFields` lists; an import replaces them by ids of
 * its own users.
 */

/** Fields of records with ids of users, one or many. */
export const archivedUserFields = [
  'author_id',
  'user_id',
  'closed_by_id',
  'merged_by_id',
  'resolved_by_id',
  'assignee_ids',
  'reviewer_ids',
  'participant_ids',
  'user_ids',
] as const;

const sha = gitSha.nullable();
const branch = z.string().min(1).max(1024);
const people = z.array(id).max(10_000);

const issuable = {
  iid,
  title: writtenProse(titleLimit),
  description: prose(descriptionLimit).nullable(),
  author_id: id,
  assignee_ids: people,
  participant_ids: people,
  label_titles: z.array(prose(titleLimit)).max(1000),
  milestone_title: prose(titleLimit).nullable(),
  confidential: z.boolean(),
  discussion_locked: z.boolean().nullable(),
  time_estimate: count,
  time_spent: count,
  user_notes_count: count,
  created_at: timestamp,
  updated_at: timestamp,
  closed_at: timestamp.nullable(),
  closed_by_id: id.nullable(),
  state_changes: z.array(z.object({ action: z.enum(['close', 'reopen']), at: timestamp })).max(10_000),
  awards,
};

export const ExportedIssue = z.object({
  ...issuable,
  state: z.enum(['opened', 'closed']),
  due_date: date.nullable(),
  weight: z.int().min(0).nullable(),
  relative_position: z.number(),
  iteration: NamedIteration.nullable().default(null),
});

export const ExportedMergeRequest = z.object({
  ...issuable,
  state: z.enum(['opened', 'closed', 'merged']),
  source_branch: branch,
  target_branch: branch,
  /** Of the same project; a merge request of a fork has no source any more. */
  is_own_source: z.boolean(),
  reviewer_ids: people,
  approvals: z.array(z.object({ user_id: id, at: timestamp })).max(1000),
  /** Null if those of the project apply. */
  approval_rules: exportedApprovalRules.nullable().default(null),
  squash: z.boolean(),
  removes_source_branch: z.boolean().nullable(),
  allows_collaboration: z.boolean(),
  head_sha: sha,
  base_sha: sha,
  start_sha: sha,
  changes_count: z.string().max(20).nullable(),
  closes_issue_iids: z.array(iid).max(1000),
  merge_commit_sha: sha,
  squash_commit_sha: sha,
  merged_by_id: id.nullable(),
  merged_at: timestamp.nullable(),
  /** As it was after each push, oldest first. */
  versions: z.array(z.object({ head_sha: gitSha, base_sha: sha, start_sha: sha, created_at: timestamp })).max(10_000),
});

export const ExportedNote = z.object({
  /** Of the exporting instance; in an archive its number, from 1. */
  id,
  /** The first note of the discussion, possibly itself; null for a single note. */
  discussion_id: id.nullable(),
  noteable_type: z.enum(['Issue', 'MergeRequest', 'Snippet', 'Commit']),
  /** For a snippet its `id`, in an archive its number; unused for a commit, which has `commit_sha`. */
  noteable_iid: iid,
  commit_sha: gitSha.optional(),
  body: prose(noteLimit + 1000),
  author_id: id,
  system: z.boolean(),
  confidential: z.boolean(),
  position: NotePosition.nullable(),
  /** For notes in discussions of merge requests: whether it is unresolved. */
  is_unresolved: z.boolean(),
  resolved_at: timestamp.nullable(),
  resolved_by_id: id.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  awards,
});

/** The records of each kind, in the order of an import: each refers to earlier ones. */
export const exportedRecords = {
  labels: ExportedLabel,
  milestones: ExportedMilestone,
  boards: ExportedBoard,
  approval_settings: ExportedApprovalSettings,
  issues: ExportedIssue,
  merge_requests: ExportedMergeRequest,
  snippets: ExportedSnippet,
  commits: ExportedCommit,
  issue_links: ExportedIssueLink,
  ...exportedEvents,
  notes: ExportedNote,
};
export type ProjectRecordKind = keyof typeof exportedRecords;
export const projectRecordKinds = Object.keys(exportedRecords) as ProjectRecordKind[];

/** Kinds whose records have no own number or name: an archive numbers them, and an import reserves ids. */
export const numberedKinds = ['snippets', ...eventRecordKinds, 'notes'] as const;
export type NumberedKind = (typeof numberedKinds)[number];

const records = listsOf(exportedRecords);

function listsOf<T extends Record<string, z.ZodType>>(kinds: T) {
  const lists = Object.entries(kinds).map(([kind, row]) => [kind, z.array(row).optional()]);
  return Object.fromEntries(lists) as { [K in keyof T]: z.ZodOptional<z.ZodArray<T[K]>> };
}

/**
 * Records of one kind of the context's project, in ascending order of ids after `after_id`; `next_after_id` is null
 * at the end. Labels and milestones include those of ancestors that the project uses. A page may have fewer than
 * `limit`.
 *
 * Records of issues or merge requests (links, events) are ordered by the ids of those, and `after_id` is one of them;
 * those of one issue by their own ids. `next_within_id` is present if a page ended within one issue, and requests the
 * rest of it.
 */
export const exportProjectRecords = operation({
  name: 'collaboration.export.project-records',
  access: internalOnProject(),
  isRead: true,
  input: z.object({
    kind: z.enum(projectRecordKinds),
    /** On which events hang. */
    resource_type: z.enum(eventfulTypes).default('Issue'),
    after_id: z.int().default(0),
    within_id: z.int().optional(),
    limit: z.int().min(1).max(200).default(100),
  }),
  output: z.object({ ...records, next_after_id: z.int().min(0).nullable(), next_within_id: z.int().optional() }),
  timeoutSeconds: 120,
});

/**
 * The first of a number of consecutive reserved ids for records of a kind. Its name comes from notes, the first kind;
 * names do not change.
 */
export const reserveRecordIds = operation({
  name: 'collaboration.import.reserve-note-ids',
  access: internal(),
  input: z.object({ kind: z.enum(numberedKinds).default('notes'), count: z.int().min(0).max(100_000_000) }),
  output: z.object({ first_id: id }),
});

/**
 * Imports records of an archive into the context's project. Existing records (a label with the title, an issue with the
 * number, a note with the id) do not change, so a page may arrive twice. Records that refer to missing ones are omitted.
 * Nobody is notified.
 */
export const importProjectRecords = operation({
  name: 'collaboration.import.project-records',
  access: internalOnProject(),
  input: z.object(records),
  output: z.object({ created: z.int() }),
  timeoutSeconds: 120,
});
