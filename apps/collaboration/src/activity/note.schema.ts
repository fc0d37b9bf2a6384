import type { NoteableType, NotePosition } from '@moothall/contracts';
import { Schema } from 'mongoose';
import { type Awardable, awardable } from './awardable';
import type { Mention } from './new-note';

/** A replacement for some lines of a file that a merge request changes. See docs/api/notes.md#13. */
export interface NoteSuggestion {
  id: number;
  path: string;
  /** The commit that has these lines. */
  sha: string;
  fromLine: number;
  toLine: number;
  fromContent: string;
  toContent: string;
  /** Set while a user applies it: the lease of that process. */
  applyingSince?: Date;
  appliedAt?: Date;
}

/** Limit for one note. */
export const mostSuggestions = 20;

export interface NoteDocument extends Awardable {
  _id: number;
  noteableType: NoteableType;
  noteableId: number;
  /** Number of the noteable in its project or group; null for snippets and commits. */
  noteableIid: number | null;
  projectId: number | null;
  groupId: number | null;
  /** Only for notes on commits. */
  commitId?: string;
  body: string;
  authorId: number;
  /** Whether it is a system note. */
  system: boolean;
  confidential: boolean;
  /** The first note of its discussion; absent for a single note. */
  discussionId?: number;
  /** Its position in the changes of a merge request. */
  position?: NotePosition;
  /** Only for notes on lines of a merge request. */
  suggestions?: NoteSuggestion[];
  /** Only for system notes about a mention. */
  mentionedIn?: Mention;
  /** Id of the merge request while a note in its discussions is unresolved. */
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
// Pages of notes in both orders and both directions; also for removal with the record.
noteSchema.index({ noteableType: 1, noteableId: 1, createdAt: -1, _id: -1 });
noteSchema.index({ noteableType: 1, noteableId: 1, updatedAt: -1, _id: -1 });
// Search in a project.
noteSchema.index({ projectId: 1, _id: -1 });
// For the removal of a deleted user.
noteSchema.index({ authorId: 1 });
noteSchema.index({ resolvedById: 1 }, { sparse: true });
// One note per mention.
noteSchema.index(
  { noteableType: 1, noteableId: 1, 'mentionedIn.id': 1, 'mentionedIn.type': 1 },
  { unique: true, partialFilterExpression: { 'mentionedIn.type': { $type: 'string' } } },
);
// The discussions of a record, and the notes of one discussion; most notes have none.
noteSchema.index(
  { noteableType: 1, noteableId: 1, discussionId: 1 },
  { partialFilterExpression: { discussionId: { $exists: true } } },
);
// Look-up of a suggestion that is applied; sparse, because few notes suggest anything.
noteSchema.index({ 'suggestions.id': 1 }, { sparse: true });
// Merge requests with unresolved discussions.
noteSchema.index({ unresolvedOn: 1 }, { sparse: true });
noteSchema.plugin(awardable);
