import type { TodoAction, TodoTarget } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** A to-do of a user. */
export interface TodoDocument {
  _id: number;
  /** Event, action and user: a repeated event creates it once. */
  key: string;
  userId: number;
  authorId: number;
  projectId: number;
  action: TodoAction;
  targetType: TodoTarget;
  targetId: number;
  /** The comment that it refers to. */
  noteId: number | null;
  /** The branch whose pipeline failed. */
  ref: string | null;
  state: 'pending' | 'done';
  createdAt: Date;
  updatedAt: Date;
}

export const todoSchema = new Schema<TodoDocument>(
  {
    _id: Number,
    key: String,
    userId: Number,
    authorId: Number,
    projectId: Number,
    action: String,
    targetType: String,
    targetId: Number,
    noteId: { type: Number, default: null },
    ref: { type: String, default: null },
    state: { type: String, default: 'pending' },
    createdAt: Date,
    updatedAt: Date,
  },
  { versionKey: false, collection: 'todos' },
);
todoSchema.index({ key: 1 }, { unique: true });
// The list of a user.
todoSchema.index({ userId: 1, state: 1, _id: -1 });
// The projects in a user's list; reads one entry per project.
todoSchema.index({ userId: 1, state: 1, targetType: 1, projectId: 1 });
// To-dos on a record, of one user or of all.
todoSchema.index({ targetType: 1, targetId: 1, userId: 1, state: 1 });
todoSchema.index({ noteId: 1 }, { sparse: true });
todoSchema.index({ projectId: 1, userId: 1 });
todoSchema.index({ authorId: 1 });
