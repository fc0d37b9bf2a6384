import type { NoteableType, NotePosition } from '@moothall/contracts';
import type { NoteDocument, NoteSuggestion } from './note.schema';

/** The record that a note is written on. */
export interface NoteSubject {
  type: NoteableType;
  id: number;
  iid: number | null;
  projectId: number | null;
  groupId: number | null;
  /** Only for commits. */
  commitId?: string;
}

/** The discussion that a note belongs to. */
export interface Thread {
  /** Id of the first note; absent for the note that starts the discussion. */
  id?: number | undefined;
  position?: NotePosition | undefined;
  /** Whether the note answers a resolved discussion. */
  isResolved?: boolean | undefined;
}

/** The mention that a system note reports; commits are named by their object id. */
export interface Mention {
  type: 'Issue' | 'MergeRequest' | 'Commit';
  projectId: number;
  id: number | string;
}

interface Written {
  id: number;
  body: string;
  authorId: number;
  at: Date;
  confidential?: boolean;
  system?: boolean;
  thread?: Thread | undefined;
  mentionedIn?: Mention;
  suggestions?: NoteSuggestion[] | undefined;
}

/** A complete note in its stored form: the journal may insert it without Mongoose and its defaults. */
export const newNote = (
  on: NoteSubject,
  { id, body, authorId, at, confidential, system, thread, mentionedIn, suggestions }: Written,
): NoteDocument => ({
  _id: id,
  noteableType: on.type,
  noteableId: on.id,
  noteableIid: on.iid,
  projectId: on.projectId,
  groupId: on.groupId,
  body,
  authorId,
  system: system ?? false,
  confidential: confidential ?? false,
  awards: [],
  createdAt: at,
  updatedAt: at,
  ...(on.commitId !== undefined && { commitId: on.commitId }),
  ...(mentionedIn && { mentionedIn }),
  ...(suggestions?.length && { suggestions }),
  ...(thread && inThread(thread, on, { id, authorId, at })),
});

function inThread(
  { id: discussionId, position, isResolved }: Thread,
  on: NoteSubject,
  { id, authorId, at }: Pick<Written, 'id' | 'authorId' | 'at'>,
): Partial<NoteDocument> {
  return {
    discussionId: discussionId ?? id,
    ...(position && { position }),
    ...(on.type === 'MergeRequest' &&
      (isResolved ? { resolvedAt: at, resolvedById: authorId } : { unresolvedOn: on.id })),
  };
}
