import { id, onProject, projectRef } from '../../operation';
import { awardOperations, noteAwardOperations } from './award-emoji';
import { discussionBeginnings, discussionCreation, discussionOperations } from './discussion';
import { noteCreation, noteOperations } from './note';

/** Snippets of projects as records with notes. */
const snippet = {
  kind: 'snippet',
  path: '/projects/:id/snippets/:snippet_id',
  parameters: { ...projectRef, snippet_id: id },
  access: onProject({ feature: 'snippets' }),
  noun: 'a snippet',
  missing: 'snippet.not_found',
};

export const snippetNotes = noteOperations({
  ...snippet,
  creation: noteCreation,
  singleDescription: 'The note, with title and file of the snippet.',
});
export const {
  list: listSnippetNotes,
  get: getSnippetNote,
  create: createSnippetNote,
  update: updateSnippetNote,
  remove: deleteSnippetNote,
} = snippetNotes;

export const snippetDiscussions = discussionOperations({ ...snippet, creation: discussionCreation });
export const {
  list: listSnippetDiscussions,
  get: getSnippetDiscussion,
  create: createSnippetDiscussion,
  reply: replyToSnippetDiscussion,
  getNote: getSnippetDiscussionNote,
  updateNote: updateSnippetDiscussionNote,
  removeNote: deleteSnippetDiscussionNote,
} = snippetDiscussions;
export const listSnippetDiscussionBeginnings = discussionBeginnings(snippet);

export const snippetAwards = awardOperations(snippet);
export const {
  list: listSnippetAwards,
  get: getSnippetAward,
  create: createSnippetAward,
  remove: deleteSnippetAward,
} = snippetAwards;

export const snippetNoteAwards = noteAwardOperations(snippet);
export const {
  list: listSnippetNoteAwards,
  get: getSnippetNoteAward,
  create: createSnippetNoteAward,
  remove: deleteSnippetNoteAward,
} = snippetNoteAwards;
