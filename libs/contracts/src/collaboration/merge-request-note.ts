import { z } from 'zod';
import { del, get, id, nothing, operation, page, post, projectRef, put } from '../operation';
import { takesPartInMergeRequests } from './merge-request';
import { CreatedNote, Note, noteChange, noteCreation, noteList } from './note';

const onMergeRequest = { ...projectRef, merge_request_iid: id };
const access = takesPartInMergeRequests;

/** @throws merge_request.not_found */
export const listMergeRequestNotes = operation({
  name: 'collaboration.merge-request-notes.list',
  http: get('/projects/:id/merge_requests/:merge_request_iid/notes'),
  access,
  summary: 'Notes of a merge request',
  input: z.object({ ...onMergeRequest, ...noteList }),
  output: page(Note),
});

/** @throws merge_request.not_found; common.not_found */
export const getMergeRequestNote = operation({
  name: 'collaboration.merge-request-notes.get',
  http: get('/projects/:id/merge_requests/:merge_request_iid/notes/:note_id'),
  access,
  summary: 'One note of a merge request',
  input: z.object({ ...onMergeRequest, note_id: id }),
  output: Note,
});

/** @throws merge_request.not_found; note.blank; note.commands_failed; common.forbidden where the discussion is locked */
export const createMergeRequestNote = operation({
  name: 'collaboration.merge-request-notes.create',
  limitedBy: 'notes_create_limit',
  http: post('/projects/:id/merge_requests/:merge_request_iid/notes'),
  access,
  summary: 'Comments on a merge request',
  input: z.object({ ...onMergeRequest, ...noteCreation }),
  output: CreatedNote,
});

/** @throws merge_request.not_found; common.not_found; common.forbidden unless author or maintainer */
export const updateMergeRequestNote = operation({
  name: 'collaboration.merge-request-notes.update',
  http: put('/projects/:id/merge_requests/:merge_request_iid/notes/:note_id'),
  access,
  summary: 'Changes a note',
  input: z.object({ ...onMergeRequest, note_id: id, ...noteChange }),
  output: Note,
});

/** @throws merge_request.not_found; common.not_found; common.forbidden unless author or maintainer */
export const deleteMergeRequestNote = operation({
  name: 'collaboration.merge-request-notes.delete',
  http: del('/projects/:id/merge_requests/:merge_request_iid/notes/:note_id'),
  access,
  summary: 'Removes a note with its awards',
  input: z.object({ ...onMergeRequest, note_id: id }),
  output: nothing(),
});
