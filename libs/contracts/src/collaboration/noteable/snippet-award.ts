import { id, onProject, projectRef } from '../../operation';
import { awardOperations } from './award-emoji';

const parameters = { ...projectRef, snippet_id: id };
const path = '/projects/:id/snippets/:snippet_id';
const access = onProject({ feature: 'snippets' });

export const [listSnippetAwards, getSnippetAward, createSnippetAward, deleteSnippetAward] = awardOperations({
  name: 'collaboration.snippet-awards',
  path,
  parameters,
  access,
  noun: 'a snippet',
});

export const [listSnippetNoteAwards, getSnippetNoteAward, createSnippetNoteAward, deleteSnippetNoteAward] =
  awardOperations({
    name: 'collaboration.snippet-note-awards',
    path: `${path}/notes/:note_id`,
    parameters: { ...parameters, note_id: id },
    access,
    noun: 'a note of a snippet',
  });
