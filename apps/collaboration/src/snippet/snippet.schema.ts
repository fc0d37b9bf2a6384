import { snippetFileLimit, type Visibility } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import { type Awardable, awardable } from '../activity/awardable';
import { type Journaled, journaled } from '../journal/journal';
import { type UserAgent, userAgentSchema } from '../user-agent/user-agent.schema';

export interface SnippetFile {
  path: string;
  /** Read only on request: lists do not include it. */
  content: string;
}

/** See docs/api/snippets.md#2. Files are embedded: they are small, and change in one write with the rest. */
export interface SnippetDocument extends Outboxed, Journaled, Awardable {
  _id: number;
  /** Incremented with every change that depends on an earlier state; a change from an outdated revision is retried. */
  revision: number;
  /** Null for personal snippets. */
  projectId: number | null;
  authorId: number;
  title: string;
  description: string | null;
  visibility: Visibility;
  files: SnippetFile[];
  /** The client that created it; null if unknown. */
  userAgent: UserAgent | null;
  userNotesCount: number;
  notesCountRevision?: number;
  createdAt: Date;
  updatedAt: Date;
}

export const snippetSchema = new Schema<SnippetDocument>(
  {
    _id: { type: Number, required: true },
    revision: { type: Number, default: 0 },
    projectId: { type: Number, default: null },
    authorId: { type: Number, required: true },
    title: { type: String, required: true },
    description: { type: String, default: null },
    visibility: { type: String, required: true },
    files: {
      type: [{ _id: false, path: { type: String, required: true }, content: { type: String, select: false } }],
      most: snippetFileLimit,
    },
    userAgent: { type: userAgentSchema, default: null },
    userNotesCount: { type: Number, default: 0 },
    notesCountRevision: Number,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'snippets', timestamps: false },
);
// A project's list; also for removal with the project.
snippetSchema.index({ projectId: 1, _id: -1 });
// Public personal ones, and those of a project that non-members see.
snippetSchema.index({ projectId: 1, visibility: 1, _id: -1 });
// Snippets of an author; also for the removal of a deleted user.
snippetSchema.index({ authorId: 1, _id: -1 });
snippetSchema.plugin(awardable);
snippetSchema.plugin(journaled);
snippetSchema.plugin(outboxed);
