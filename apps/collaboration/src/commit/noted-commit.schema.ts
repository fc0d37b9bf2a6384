import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import { type Awardable, awardable } from '../activity/awardable';
import { type Journaled, journaled } from '../journal/journal';

/** A commit with notes; git stores the commit itself. See docs/api/notes.md#11. */
export interface NotedCommitDocument extends Outboxed, Journaled, Awardable {
  _id: number;
  projectId: number;
  sha: string;
  title: string;
  /** Always 0: the author of a commit is a name and an email address, not a user. */
  authorId: number;
  userNotesCount: number;
  notesCountRevision?: number;
  createdAt: Date;
  updatedAt: Date;
}

export const notedCommitSchema = new Schema<NotedCommitDocument>(
  {
    _id: { type: Number, required: true },
    projectId: { type: Number, required: true },
    sha: { type: String, required: true },
    title: { type: String, required: true },
    authorId: { type: Number, default: 0 },
    userNotesCount: { type: Number, default: 0 },
    notesCountRevision: Number,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'noted_commits', timestamps: false },
);
// Look-up by commit; also for removal with the project.
notedCommitSchema.index({ projectId: 1, sha: 1 }, { unique: true });
notedCommitSchema.plugin(awardable);
notedCommitSchema.plugin(journaled);
notedCommitSchema.plugin(outboxed);
