import { z } from 'zod';
import { UserSummary } from '../../identity/user';
import {
  del,
  errors,
  get,
  id,
  keysetPaging,
  nothing,
  operation,
  page,
  post,
  put,
  sorting,
  time,
  timestamp,
} from '../../operation';
import { noteLimit, prose } from '../prose/prose';
import { AwardEmoji } from './award-emoji-view';
import type { NoteableKind, NoteableRule } from './noteable-kind';

export const noteableTypes = ['Issue', 'MergeRequest', 'Snippet', 'Epic', 'Commit'] as const;
export type NoteableType = (typeof noteableTypes)[number];

export const noteErrors = errors('note', {
  blank: {
    status: 400,
    message: `400 Bad request - Note {:note=>["can't be blank"]}`,
    means: 'A note needs more than white space.',
  },
  commandsFailed: {
    status: 400,
    message: '400 Bad request - The commands could not be applied',
    means: 'The note has quick actions only, and none of them could be applied.',
  },
});

/** Why notes of quick actions, and in closed discussions, are refused. */
export const commandRefusals = ['note.commands_failed', 'common.forbidden where the discussion is locked'];

const objectId = prose(64);
const path = prose(4096);
const linesOfDiff = z.object({ line_code: prose(255), type: z.enum(['new', 'old']) });

/** The position of a note in the diff of a merge request; lines are counted from 1. */
export const NotePosition = z.object({
  base_sha: objectId,
  start_sha: objectId,
  head_sha: objectId,
  position_type: z.enum(['text', 'image']),
  old_path: path.optional(),
  new_path: path.optional(),
  old_line: z.int().nullable().optional(),
  new_line: z.int().nullable().optional(),
  line_range: z.object({ start: linesOfDiff.optional(), end: linesOfDiff.optional() }).optional(),
  width: z.int().optional(),
  height: z.int().optional(),
  x: z.number().optional(),
  y: z.number().optional(),
});
export type NotePosition = z.infer<typeof NotePosition>;

/** Other lines in place of some of a merge request. See docs/api/notes.md#13. */
export const Suggestion = z.object({
  id,
  from_line: z.int(),
  to_line: z.int(),
  appliable: z.boolean().describe('The lines are unchanged and the suggestion was not applied'),
  applied: z.boolean(),
  from_content: z.string(),
  to_content: z.string(),
});
export type Suggestion = z.infer<typeof Suggestion>;

/** See docs/api/notes.md#6. `email` is the public one, except for administrators and the author. */
export const Note = z.object({
  id,
  type: z.enum(['DiscussionNote', 'DiffNote']).nullable(),
  body: z.string(),
  attachment: z.null(),
  author: UserSummary.extend({ email: z.string().nullable(), created_at: time }),
  created_at: time,
  updated_at: time,
  system: z.boolean(),
  noteable_id: id,
  noteable_type: z.enum(noteableTypes),
  noteable_iid: id.nullable().describe('Null for snippets and commits'),
  commit_id: z.string().optional().describe('Of notes on commits'),
  project_id: id.optional().describe('Absent for epics and personal snippets'),
  position: NotePosition.optional().describe('Of notes on changes of a merge request'),
  suggestions: z.array(Suggestion).optional().describe('Of notes on lines of a merge request'),
  resolvable: z.boolean(),
  resolved: z.boolean().optional().describe('Of resolvable notes'),
  resolved_by: UserSummary.nullable().optional(),
  resolved_at: time.nullable().optional(),
  confidential: z.boolean(),
  internal: z.boolean(),
  commands_changes: z.record(z.string(), z.unknown()),
  title: z.string().optional().describe('Of the snippet or epic; single gets only'),
  file_name: z.string().nullable().optional().describe('Of the snippet; single gets only'),
  expires_at: z.null().optional().describe('Single gets of snippet and epic notes only'),
});
export type Note = z.infer<typeof Note>;

/** The results of a body with only quick actions. */
export const CommandSummary = z.object({
  commands_changes: z.record(z.string(), z.unknown()),
  summary: z.array(z.string()),
});
export type CommandSummary = z.infer<typeof CommandSummary>;

/** The award that a note of one emoji became, with the fields of docs/api/notes.md#5 beside its own. */
const AwardedNote = AwardEmoji.extend({
  title: z.string(),
  file_name: z.string().nullable(),
  author: UserSummary,
  expires_at: z.null(),
});

/** A note; an award if the body is one emoji; a summary with 202 if it contains only quick actions. */
export const CreatedNote = z.union([Note, AwardedNote, CommandSummary]);
export type CreatedNote = z.infer<typeof CreatedNote>;

/** Parameters of all lists of notes. Keyset pages are requested with `pagination=keyset`. */
export const noteList = {
  ...sorting(['created_at', 'updated_at']),
  ...keysetPaging,
  activity_filter: z.enum(['all_notes', 'only_comments', 'only_activity']).default('all_notes'),
};
export const noteBody = prose(noteLimit);
export const noteCreation = {
  body: noteBody,
  created_at: timestamp.optional().describe('For administrators and owners; ignored otherwise'),
  confidential: z.boolean().optional(),
  internal: z.boolean().optional().describe('Newer name of confidential'),
};
export const noteChange = {
  body: noteBody.refine((text) => text.trim() !== '', 'is empty'),
  confidential: z.boolean().optional(),
};

interface Noted<R extends z.ZodRawShape, C extends z.ZodRawShape, A extends NoteableRule> extends NoteableKind<R, A> {
  /** Parameters of a new note. */
  creation: C;
  /** Refusals of a new note besides a blank one. */
  creationRefusals?: string[];
  /** Additional fields of a single note. */
  singleDescription?: string;
}

/** List, get, write, change and remove notes on one kind of record. */
export function noteOperations<const R extends z.ZodRawShape, const C extends z.ZodRawShape, A extends NoteableRule>(
  noted: Noted<R, C, A>,
) {
  const { kind, path, parameters, access, tier, noun, missing } = noted;
  const one = { ...parameters, note_id: id };
  const [all, single] = [`${path}/notes`, `${path}/notes/:note_id`];
  const authorOnly = [missing, 'common.not_found', 'common.forbidden unless author or maintainer'];
  return {
    list: operation({
      name: `collaboration.${kind}-notes.list`,
      refusals: [missing],
      http: get(all),
      access,
      tier,
      summary: `Notes of ${noun}`,
      input: z.object({ ...parameters, ...noteList }),
      output: page(Note),
    }),
    get: operation({
      name: `collaboration.${kind}-notes.get`,
      description: noted.singleDescription,
      refusals: [missing, 'common.not_found'],
      http: get(single),
      access,
      tier,
      summary: `One note of ${noun}`,
      input: z.object(one),
      output: Note,
    }),
    create: operation({
      name: `collaboration.${kind}-notes.create`,
      refusals: [missing, 'note.blank', ...(noted.creationRefusals ?? [])],
      limitedBy: 'notes_create_limit',
      http: post(all),
      access,
      tier,
      summary: `Comment on ${noun}`,
      input: z.object({ ...parameters, ...noted.creation }),
      output: CreatedNote,
    }),
    update: operation({
      name: `collaboration.${kind}-notes.update`,
      refusals: authorOnly,
      http: put(single),
      access,
      tier,
      summary: 'Change a note',
      input: z.object({ ...one, ...noteChange }),
      output: Note,
    }),
    remove: operation({
      name: `collaboration.${kind}-notes.delete`,
      refusals: authorOnly,
      http: del(single),
      access,
      tier,
      summary: 'Remove a note with its awards',
      input: z.object(one),
      output: nothing(),
    }),
  };
}
