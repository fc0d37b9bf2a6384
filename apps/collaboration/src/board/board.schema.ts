import { mostOnBoard } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import type { OwnerKey } from '../parent/owner';

export interface BoardList {
  id: number;
  listType: 'backlog' | 'label' | 'assignee' | 'milestone' | 'closed';
  labelId: number | null;
  milestoneId: number | null;
  /** Only for lists of an assignee. */
  assigneeId?: number;
  /** Position among the lists that have one; null for the first and the last list. */
  position: number | null;
}

/** Issues in columns. See docs/api/boards.md#1. */
export interface BoardDocument extends Outboxed {
  _id: number;
  owner: OwnerKey;
  name: string;
  milestoneId: number | null;
  labelIds: number[];
  /** Scope: only issues of this assignee and weight; null for no restriction. */
  assigneeId?: number | null;
  weight?: number | null;
  hideBacklogList?: boolean;
  hideClosedList?: boolean;
  lists: BoardList[];
  createdAt: Date;
  updatedAt: Date;
}

export const boardSchema = new Schema<BoardDocument>(
  {
    _id: { type: Number, required: true },
    owner: { type: String, required: true },
    name: { type: String, required: true },
    milestoneId: { type: Number, default: null },
    labelIds: { type: [Number], default: [], most: mostOnBoard },
    assigneeId: { type: Number },
    weight: { type: Number },
    hideBacklogList: { type: Boolean },
    hideClosedList: { type: Boolean },
    lists: {
      type: [
        {
          _id: false,
          id: Number,
          listType: String,
          labelId: { type: Number, default: null },
          milestoneId: { type: Number, default: null },
          assigneeId: { type: Number },
          position: { type: Number, default: null },
        },
      ],
      default: [],
      most: mostOnBoard,
    },
  },
  { collection: 'boards', timestamps: true },
);
// Boards of a project or group in the order of creation.
boardSchema.index({ owner: 1, _id: 1 });
// Boards with a label or milestone, for its deletion.
boardSchema.index({ labelIds: 1 });
boardSchema.index({ milestoneId: 1 });
boardSchema.index({ 'lists.labelId': 1 });
boardSchema.index({ 'lists.milestoneId': 1 });
// Boards with an assignee, for the deletion of the user.
boardSchema.index({ assigneeId: 1 }, { sparse: true });
boardSchema.index({ 'lists.assigneeId': 1 }, { sparse: true });
boardSchema.plugin(outboxed);
