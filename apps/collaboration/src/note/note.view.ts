import type { AwardEmoji, Caller, Note } from '@moothall/contracts';
import type { UserRecord } from '@moothall/users';
import type { NoteDocument } from './note.schema';

type Author = Note['author'];

/** Addresses are for administrators and for the author; others see the public one. */
function viewAuthor(note: NoteDocument, users: ReadonlyMap<number, UserRecord>, viewer: Caller): Author {
  const user = users.get(note.authorId);
  if (!user) {
    const gone = { username: 'ghost', name: 'Ghost User', state: 'active', avatar_url: null, web_url: '' };
    return { id: note.authorId, ...gone, email: null, created_at: note.createdAt.toISOString() };
  }
  const { id, username, name, state, avatar_url, web_url, created_at } = user;
  const email = viewer.isAdmin || viewer.id === id ? user.email : user.public_email;
  return { id, username, name, state, avatar_url, web_url, email, created_at };
}

/** Source: specification 2.4. */
export const viewNote = (note: NoteDocument, users: ReadonlyMap<number, UserRecord>, viewer: Caller): Note => ({
  id: note._id,
  type: null,
  body: note.body,
  attachment: null,
  author: viewAuthor(note, users, viewer),
  created_at: note.createdAt.toISOString(),
  updated_at: note.updatedAt.toISOString(),
  system: note.system,
  noteable_id: note.noteableId,
  noteable_type: note.noteableType,
  noteable_iid: note.noteableIid,
  ...(note.projectId !== null && { project_id: note.projectId }),
  resolvable: false,
  confidential: note.confidential,
  internal: note.confidential,
  commands_changes: {},
});

/** The award that an emoji-only note became, with the fields of specification 2.4 beside its own. */
export const viewAwardedNote = (award: AwardEmoji, title: string) => ({
  ...award,
  title,
  file_name: null,
  author: award.user,
  expires_at: null,
});
