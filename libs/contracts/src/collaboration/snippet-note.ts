import { z } from 'zod';
import { del, get, id, nothing, onProject, operation, page, post, projectRef, put } from '../operation';
import { CreatedNote, Note, noteChange, noteCreation, noteList } from './note';

const onSnippet = { ...projectRef, snippet_id: id };
const access = onProject({ feature: 'snippets' });

/** @throws snippet.not_found */
export const listSnippetNotes = operation({
  name: 'collaboration.snippet-notes.list',
  http: get('/projects/:id/snippets/:snippet_id/notes'),
  access,
  summary: 'Notes of a snippet',
  input: z.object({ ...onSnippet, ...noteList }),
  output: page(Note),
});

/** The note, with title and file of the snippet. @throws snippet.not_found; common.not_found */
export const getSnippetNote = operation({
  name: 'collaboration.snippet-notes.get',
  http: get('/projects/:id/snippets/:snippet_id/notes/:note_id'),
  access,
  summary: 'One note of a snippet',
  input: z.object({ ...onSnippet, note_id: id }),
  output: Note,
});

/** @throws snippet.not_found; note.blank */
export const createSnippetNote = operation({
  name: 'collaboration.snippet-notes.create',
  limitedBy: 'notes_create_limit',
  http: post('/projects/:id/snippets/:snippet_id/notes'),
  access,
  summary: 'Comments on a snippet',
  input: z.object({ ...onSnippet, ...noteCreation }),
  output: CreatedNote,
});

/** @throws snippet.not_found; common.not_found; common.forbidden unless author or maintainer */
export const updateSnippetNote = operation({
  name: 'collaboration.snippet-notes.update',
  http: put('/projects/:id/snippets/:snippet_id/notes/:note_id'),
  access,
  summary: 'Changes a note',
  input: z.object({ ...onSnippet, note_id: id, ...noteChange }),
  output: Note,
});

/** @throws snippet.not_found; common.not_found; common.forbidden unless author or maintainer */
export const deleteSnippetNote = operation({
  name: 'collaboration.snippet-notes.delete',
  http: del('/projects/:id/snippets/:snippet_id/notes/:note_id'),
  access,
  summary: 'Removes a note with its awards',
  input: z.object({ ...onSnippet, note_id: id }),
  output: nothing(),
});
