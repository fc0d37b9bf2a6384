import { z } from 'zod';
import { del, get, id, nothing, operation, page, post, projectRef, put } from '../../operation';
import { takesPartInMergeRequests } from '../merge-request/merge-request';
import { CreatedNote, Note, noteChange, noteCreation, noteList } from './note';

const onMergeRequest = { ...projectRef, merge_request_iid: id };
const access = takesPartInMergeRequests;

export const listMergeRequestNotes = operation({
  name: 'collaboration.merge-request-notes.list',
  refusals: ['merge_request.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/notes'),
  access,
  summary: 'Notes of a merge request',
  input: z.object({ ...onMergeRequest, ...noteList }),
  output: page(Note),
});

export const getMergeRequestNote = operation({
  name: 'collaboration.merge-request-notes.get',
  refusals: ['merge_request.not_found', 'common.not_found'],
  http: get('/projects/:id/merge_requests/:merge_request_iid/notes/:note_id'),
  access,
  summary: 'One note of a merge request',
  input: z.object({ ...onMergeRequest, note_id: id }),
  output: Note,
});

export const createMergeRequestNote = operation({
  name: 'collaboration.merge-request-notes.create',
  refusals: [
    'merge_request.not_found',
    'note.blank',
    'note.commands_failed',
    'common.forbidden where the discussion is locked',
  ],
  limitedBy: 'notes_create_limit',
  http: post('/projects/:id/merge_requests/:merge_request_iid/notes'),
  access,
  summary: 'Comment on a merge request',
  input: z.object({ ...onMergeRequest, ...noteCreation }),
  output: CreatedNote,
});

export const updateMergeRequestNote = operation({
  name: 'collaboration.merge-request-notes.update',
  refusals: ['merge_request.not_found', 'common.not_found', 'common.forbidden unless author or maintainer'],
  http: put('/projects/:id/merge_requests/:merge_request_iid/notes/:note_id'),
  access,
  summary: 'Change a note',
  input: z.object({ ...onMergeRequest, note_id: id, ...noteChange }),
  output: Note,
});

export const deleteMergeRequestNote = operation({
  name: 'collaboration.merge-request-notes.delete',
  refusals: ['merge_request.not_found', 'common.not_found', 'common.forbidden unless author or maintainer'],
  http: del('/projects/:id/merge_requests/:merge_request_iid/notes/:note_id'),
  access,
  summary: 'Remove a note with its awards',
  input: z.object({ ...onMergeRequest, note_id: id }),
  output: nothing(),
});
