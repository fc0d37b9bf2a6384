import type { NoteableType, NotePosition } from '@moothall/contracts';
import { Schema } from 'mongoose';
import { type Awardable, awardable } from './awardable';
import type { Mention } from './new-note';

/** Other lines in place of some of a file that a merge request changes. See docs/api/notes.md#13. */
export interface NoteSuggestion {
  id: number;
  path: string;
  /** Commit in which the lines are what they are here. */
  sha: string;
  fromLine: number;
  toLine: number;
  fromContent: string;
  toContent: string;
  /** Since when a user applies it, who owns it for a time. */
  applyingSince?: Date;
  appliedAt?: Date;
}

/** More than anybody suggests in one note. */
export const mostSuggestions = 20;

export interface NoteDocument extends Awardable {
  _id: number;
  noteableType: NoteableType;
  noteableId: number;
  /** Number of the noteable in its project or group; null for snippets and commits. */
  noteableIid: number | null;
  projectId: number | null;
  groupId: number | null;
  /** Of notes on commits. */
  commitId?: string;
  body: string;
  authorId: number;
  /** Written by the system about a change. */
  system: boolean;
  confidential: boolean;
  /** The discussion that it began or answered, by the id of the note that began it; a note of its own has none. */
  discussionId?: number;
  /** Where in the changes of a merge request. */
  position?: NotePosition;
  /** Of notes on lines of a merge request. */
  suggestions?: NoteSuggestion[];
  /** Of system notes about a mention. */
  mentionedIn?: Mention;
  /** Of notes in discussions of merge requests: the merge request, until the note is resolved. */
  unresolvedOn?: number;
  resolvedAt?: Date;
  resolvedById?: number;
  createdAt: Date;
  updatedAt: Date;
}

export const notes = 'notes';

export const noteSchema = new Schema<NoteDocument>(
  {
    _id: { type: Number, required: true },
    noteableType: { type: String, required: true },
    noteableId: { type: Number, required: true },
    noteableIid: { type: Number, default: null },
    projectId: { type: Number, default: null },
    groupId: { type: Number, default: null },
    commitId: String,
    body: { type: String, required: true },
    authorId: { type: Number, required: true },
    system: { type: Boolean, default: false },
    confidential: { type: Boolean, default: false },
    discussionId: { type: Number },
    position: { type: Object },
    suggestions: {
      type: [
        {
          _id: false,
          id: Number,
          path: String,
          sha: String,
          fromLine: Number,
          toLine: Number,
          fromContent: String,
          toContent: String,
          applyingSince: Date,
          appliedAt: Date,
        },
      ],
      default: undefined,
      most: mostSuggestions,
    },
    mentionedIn: { type: Object },
    unresolvedOn: { type: Number },
    resolvedAt: { type: Date },
    resolvedById: { type: Number },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: notes, timestamps: false },
);
// Pages of notes in both orders and both directions; also the notes of what is deleted.
noteSchema.index({ noteableType: 1, noteableId: 1, createdAt: -1, _id: -1 });
noteSchema.index({ noteableType: 1, noteableId: 1, updatedAt: -1, _id: -1 });
// What is searched for in a project.
noteSchema.index({ projectId: 1, _id: -1 });
// What a deleted user leaves.
noteSchema.index({ authorId: 1 });
noteSchema.index({ resolvedById: 1 }, { sparse: true });
// A mention has one note.
noteSchema.index(
  { noteableType: 1, noteableId: 1, 'mentionedIn.id': 1, 'mentionedIn.type': 1 },
  { unique: true, partialFilterExpression: { 'mentionedIn.type': { $type: 'string' } } },
);
// The discussions of a record, and the notes of one; most notes are in none.
noteSchema.index(
  { noteableType: 1, noteableId: 1, discussionId: 1 },
  { partialFilterExpression: { discussionId: { $exists: true } } },
);
// What somebody applies; sparse, as few notes suggest anything.
noteSchema.index({ 'suggestions.id': 1 }, { sparse: true });
// Which merge requests wait for somebody to resolve what was said.
noteSchema.index({ unresolvedOn: 1 }, { sparse: true });
noteSchema.plugin(awardable);
