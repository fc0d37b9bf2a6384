import { z } from 'zod';
import { del, get, id, nothing, onProject, operation, page, post, projectRef, put } from '../../operation';
import { CreatedNote, Note, noteChange, noteCreation, noteList } from './note';

const onSnippet = { ...projectRef, snippet_id: id };
const access = onProject({ feature: 'snippets' });

export const listSnippetNotes = operation({
  name: 'collaboration.snippet-notes.list',
  refusals: ['snippet.not_found'],
  http: get('/projects/:id/snippets/:snippet_id/notes'),
  access,
  summary: 'Notes of a snippet',
  input: z.object({ ...onSnippet, ...noteList }),
  output: page(Note),
});

export const getSnippetNote = operation({
  name: 'collaboration.snippet-notes.get',
  description: 'The note, with title and file of the snippet.',
  refusals: ['snippet.not_found', 'common.not_found'],
  http: get('/projects/:id/snippets/:snippet_id/notes/:note_id'),
  access,
  summary: 'One note of a snippet',
  input: z.object({ ...onSnippet, note_id: id }),
  output: Note,
});

export const createSnippetNote = operation({
  name: 'collaboration.snippet-notes.create',
  refusals: ['snippet.not_found', 'note.blank'],
  limitedBy: 'notes_create_limit',
  http: post('/projects/:id/snippets/:snippet_id/notes'),
  access,
  summary: 'Comment on a snippet',
  input: z.object({ ...onSnippet, ...noteCreation }),
  output: CreatedNote,
});

export const updateSnippetNote = operation({
  name: 'collaboration.snippet-notes.update',
  refusals: ['snippet.not_found', 'common.not_found', 'common.forbidden unless author or maintainer'],
  http: put('/projects/:id/snippets/:snippet_id/notes/:note_id'),
  access,
  summary: 'Change a note',
  input: z.object({ ...onSnippet, note_id: id, ...noteChange }),
  output: Note,
});

export const deleteSnippetNote = operation({
  name: 'collaboration.snippet-notes.delete',
  refusals: ['snippet.not_found', 'common.not_found', 'common.forbidden unless author or maintainer'],
  http: del('/projects/:id/snippets/:snippet_id/notes/:note_id'),
  access,
  summary: 'Remove a note with its awards',
  input: z.object({ ...onSnippet, note_id: id }),
  output: nothing(),
});
