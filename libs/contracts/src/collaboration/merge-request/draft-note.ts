import { z } from 'zod';
import { del, errors, get, id, nothing, operation, page, post, projectRef, put, someChangeOf } from '../../operation';
import { NotePosition, noteBody } from '../noteable/note';
import { takesPartInMergeRequests } from './merge-request';

export const draftNoteErrors = errors('draft_note', {
  notFound: { status: 404, message: '404 Draft Note Not Found', means: 'No such draft, or a draft of another user.' },
});

/** See docs/api/notes.md#12. */
export const DraftNote = z.object({
  id,
  author_id: id,
  merge_request_id: id,
  resolve_discussion: z.boolean(),
  discussion_id: z.string().nullable(),
  note: z.string(),
  commit_id: z.string().nullable(),
  line_code: z.null(),
  position: NotePosition.nullable(),
});
export type DraftNote = z.infer<typeof DraftNote>;

const missing = 'merge_request.not_found';
const path = '/projects/:id/merge_requests/:merge_request_iid/draft_notes';
const onMergeRequest = { ...projectRef, merge_request_iid: id };
const one = { ...onMergeRequest, draft_note_id: id.describe('Id of the draft') };
const common = { access: takesPartInMergeRequests };
const name = 'collaboration.merge-request-draft-notes';

export const listDraftNotes = operation({
  ...common,
  name: `${name}.list`,
  refusals: [missing],
  http: get(path),
  summary: "The caller's drafts on a merge request, oldest first",
  input: z.object(onMergeRequest),
  output: page(DraftNote),
});

export const getDraftNote = operation({
  ...common,
  name: `${name}.get`,
  refusals: [missing, 'draft_note.not_found'],
  http: get(`${path}/:draft_note_id`),
  summary: "One of the caller's drafts",
  input: z.object(one),
  output: DraftNote,
});

export const createDraftNote = operation({
  ...common,
  name: `${name}.create`,
  refusals: [
    missing,
    'discussion.not_found',
    'discussion.takes_no_replies',
    'note.blank',
    'project.archived',
    'common.forbidden where the discussion is locked',
  ],
  limitedBy: 'notes_create_limit',
  http: post(path),
  summary: 'Create a draft note',
  input: z.object({
    ...onMergeRequest,
    note: noteBody,
    in_reply_to_discussion_id: z.string().optional().describe('The discussion that it answers'),
    resolve_discussion: z.boolean().default(false).describe('Resolve that discussion when it is published'),
    commit_id: z.string().max(64).optional().describe('The commit that it is about'),
    position: NotePosition.optional(),
  }),
  output: DraftNote,
});

export const updateDraftNote = operation({
  ...common,
  name: `${name}.update`,
  refusals: [missing, 'draft_note.not_found', 'note.blank', 'project.archived'],
  http: put(`${path}/:draft_note_id`),
  summary: "Change one of the caller's drafts",
  input: z
    .object({ ...one, note: noteBody.optional(), position: NotePosition.optional() })
    .refine(...someChangeOf('note', 'position')),
  output: DraftNote,
});

export const deleteDraftNote = operation({
  ...common,
  name: `${name}.delete`,
  refusals: [missing, 'draft_note.not_found'],
  http: del(`${path}/:draft_note_id`),
  summary: "Throw away one of the caller's drafts",
  input: z.object(one),
  output: nothing(),
});

const publication = [
  'note.commands_failed',
  'discussion.not_found if the discussion was deleted',
  'project.archived',
  'common.forbidden where the discussion is locked',
];

export const publishDraftNote = operation({
  ...common,
  name: `${name}.publish`,
  refusals: [missing, 'draft_note.not_found', ...publication],
  limitedBy: 'notes_create_limit',
  http: put(`${path}/:draft_note_id/publish`, { success: 204 }),
  summary: "Make a note of one of the caller's drafts",
  input: z.object(one),
  output: nothing(),
});

export const publishDraftNotes = operation({
  ...common,
  name: `${name}.publish-all`,
  description: 'In the order of their creation. If one is refused, the later ones stay drafts.',
  refusals: [missing, ...publication],
  limitedBy: 'notes_create_limit',
  http: post(`${path}/bulk_publish`, { success: 204 }),
  summary: "Make notes of all of the caller's drafts",
  input: z.object(onMergeRequest),
  output: nothing(),
});
