import type { NoteableType } from '@moothall/contracts';
import type { NoteDocument } from './note.schema';

/** What a note is written on. */
export interface NoteSubject {
  type: NoteableType;
  id: number;
  iid: number | null;
  projectId: number | null;
  groupId: number | null;
}

interface Written {
  id: number;
  body: string;
  authorId: number;
  at: Date;
  confidential?: boolean;
  system?: boolean;
}

/** A note as it is stored, complete: it may be inserted by the journal, past Mongoose and its defaults. */
export const newNote = (on: NoteSubject, { id, body, authorId, at, confidential, system }: Written): NoteDocument => ({
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
});
