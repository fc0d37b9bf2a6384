import type { NoteableType, NotePosition } from '@moothall/contracts';
import { Schema } from 'mongoose';
import { type Awardable, awardable } from './awardable';
import type { Mention } from './new-note';

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
  /** Of system notes that tell of a mention. */
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
// A mention is told of once.
noteSchema.index(
  { noteableType: 1, noteableId: 1, 'mentionedIn.id': 1, 'mentionedIn.type': 1 },
  { unique: true, partialFilterExpression: { 'mentionedIn.type': { $type: 'string' } } },
);
// The notes of one discussion; sparse, as most notes are in none.
noteSchema.index({ discussionId: 1 }, { sparse: true });
// Which merge requests wait for somebody to resolve what was said.
noteSchema.index({ unresolvedOn: 1 }, { sparse: true });
noteSchema.plugin(awardable);
