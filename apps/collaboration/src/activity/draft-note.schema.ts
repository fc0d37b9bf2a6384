import type { NotePosition } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A note that its author has not published yet, and nobody else sees. See docs/api/notes.md#12. */
export interface DraftNoteDocument {
  _id: number;
  mergeRequestId: number;
  authorId: number;
  body: string;
  /** The discussion that it answers, as clients call it. */
  discussionId?: string;
  resolvesDiscussion: boolean;
  commitId?: string;
  position?: NotePosition;
  /** Since when a user publishes it, who owns it for a time. */
  publishingSince?: Date;
  /** The note that it becomes: after an interruption this shows whether it was written. */
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
// Somebody's on a merge request, oldest first; also those that go with it.
draftNoteSchema.index({ mergeRequestId: 1, authorId: 1, _id: 1 });
// What a deleted user leaves.
draftNoteSchema.index({ authorId: 1 });
