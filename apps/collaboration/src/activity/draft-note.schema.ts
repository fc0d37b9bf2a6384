import type { NotePosition } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A note that its author has not published yet, and nobody else sees. See docs/api/notes.md#12. */
export interface DraftNoteDocument {
  _id: number;
  mergeRequestId: number;
  authorId: number;
  body: string;
  /** Id of the discussion that it answers, in the form of the API. */
  discussionId?: string;
  resolvesDiscussion: boolean;
  commitId?: string;
  position?: NotePosition;
  /** Set while a user publishes it: the lease of that process. */
  publishingSince?: Date;
  /** Reserved id of the note. After an interruption it shows whether the note was written. */
  noteId?: number;
  createdAt: Date;
}

export const draftNotes = 'draft_notes';

export const draftNoteSchema = new Schema<DraftNoteDocument>(
  {
    _id: { type: Number, required: true },
    mergeRequestId: { type: Number, required: true },
    authorId: { type: Number, required: true },
    body: { type: String, required: true },
    discussionId: String,
    resolvesDiscussion: { type: Boolean, default: false },
    commitId: String,
    position: { type: Object },
    publishingSince: Date,
    noteId: Number,
    createdAt: { type: Date, required: true },
  },
  { collection: draftNotes, timestamps: false },
);
// A user's drafts on a merge request, oldest first; also for removal with the merge request.
draftNoteSchema.index({ mergeRequestId: 1, authorId: 1, _id: 1 });
// For removal of a deleted user's drafts.
draftNoteSchema.index({ authorId: 1 });
