import type { AwardEmoji, Caller, Note, Suggestion, UserSummary } from '@moothall/contracts';
import type { UserRecord } from '@moothall/users';
import type { NoteDocument } from '../activity/note.schema';
import { summaryFrom } from '../user/summaries';

type Author = Note['author'];

/** Administrators and the author see the email address; others see the public one. */
function viewAuthor(note: NoteDocument, users: ReadonlyMap<number, UserRecord>, viewer: Caller): Author {
  const user = users.get(note.authorId);
  if (!user) {
    return { ...summaryFrom(users, note.authorId), email: null, created_at: note.createdAt.toISOString() };
  }
  const { id, username, name, state, avatar_url, web_url, created_at } = user;
  const email = viewer.isAdmin || viewer.id === id ? user.email : user.public_email;
  return { id, username, name, state, avatar_url, web_url, email, created_at };
}

/** Users that a note names. */
export const peopleOf = ({ authorId, resolvedById }: NoteDocument): number[] =>
  resolvedById === undefined ? [authorId] : [authorId, resolvedById];

/** Notes in discussions of merge requests can be resolved. */
export const isResolvable = ({ discussionId, noteableType, system }: NoteDocument): boolean =>
  discussionId !== undefined && noteableType === 'MergeRequest' && !system;

function viewResolver(id: number, users: ReadonlyMap<number, UserRecord>): UserSummary {
  const { username, name, state, avatar_url, web_url } = summaryFrom(users, id);
  return { id, username, name, state, avatar_url, web_url };
}

function viewResolution({ resolvedAt, resolvedById }: NoteDocument, users: ReadonlyMap<number, UserRecord>) {
  return {
    resolved: resolvedAt !== undefined,
    resolved_by: resolvedById === undefined ? null : viewResolver(resolvedById, users),
    resolved_at: resolvedAt?.toISOString() ?? null,
  };
}

function typeOf({ discussionId, position }: NoteDocument): Note['type'] {
  if (position) return 'DiffNote';
  return discussionId === undefined ? null : 'DiscussionNote';
}

/** See docs/api/notes.md#6. */
export function viewNote(
  note: NoteDocument,
  users: ReadonlyMap<number, UserRecord>,
  viewer: Caller,
  suggestions?: Suggestion[],
): Note {
  const resolution = isResolvable(note) ? viewResolution(note, users) : undefined;
  // Undefined fields are left out of the answer; object spreads would cost as much as everything else.
  return {
    id: note._id,
    type: typeOf(note),
    body: note.body,
    attachment: null,
    author: viewAuthor(note, users, viewer),
    created_at: note.createdAt.toISOString(),
    updated_at: note.updatedAt.toISOString(),
    system: note.system,
    noteable_id: note.noteableId,
    noteable_type: note.noteableType,
    noteable_iid: note.noteableIid,
    commit_id: note.commitId,
    project_id: note.projectId ?? undefined,
    position: note.position ?? undefined,
    suggestions,
    resolvable: resolution !== undefined,
    resolved: resolution?.resolved,
    resolved_by: resolution?.resolved_by,
    resolved_at: resolution?.resolved_at,
    confidential: note.confidential,
    internal: note.confidential,
    commands_changes: {},
  };
}

/** The award that an emoji-only note became, with the extra fields of docs/api/notes.md#5. */
export const viewAwardedNote = (award: AwardEmoji, title: string) => ({
  ...award,
  title,
  file_name: null,
  author: award.user,
  expires_at: null,
});
