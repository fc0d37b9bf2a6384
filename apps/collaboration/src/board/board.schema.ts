import { mostOnBoard } from '@moothall/contracts';
import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import type { OwnerKey } from '../parent/owner';

export interface BoardList {
  id: number;
  listType: 'backlog' | 'label' | 'assignee' | 'milestone' | 'closed';
  labelId: number | null;
  milestoneId: number | null;
  /** Of lists of an assignee. */
  assigneeId?: number;
  /** Order among the lists that have one; the first and the last have none. */
  position: number | null;
}

/** Issues in columns. See docs/api/boards.md#1. */
export interface BoardDocument extends Outboxed {
  _id: number;
  owner: OwnerKey;
  name: string;
  milestoneId: number | null;
  labelIds: number[];
  /** Only issues of this assignee and weight; what a board does not have is none. */
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
// Boards of a project or group in the order in which they were made.
boardSchema.index({ owner: 1, _id: 1 });
// Boards with a label or milestone, when it goes.
boardSchema.index({ labelIds: 1 });
boardSchema.index({ milestoneId: 1 });
boardSchema.index({ 'lists.labelId': 1 });
boardSchema.index({ 'lists.milestoneId': 1 });
// The same for somebody who goes.
boardSchema.index({ assigneeId: 1 }, { sparse: true });
boardSchema.index({ 'lists.assigneeId': 1 }, { sparse: true });
boardSchema.plugin(outboxed);
