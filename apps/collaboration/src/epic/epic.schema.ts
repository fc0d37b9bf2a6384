import { Schema } from 'mongoose';
import { awardable } from '../activity/awardable';
import { type Issuable, issuableFields } from '../issuable/issuable';
import { journaled } from '../journal/journal';

export interface EpicDocument extends Issuable {
  groupId: number;
  state: 'opened' | 'closed';
  parentId: number | null;
  /** Position among its siblings; epics without one come first. */
  parentPosition?: number | null;
  /** Number of a parent that an import has not created yet. */
  awaitedParentIid?: number;
  /** How many of its notes an import has written. */
  importedNotes?: number;
  /**
   * Dates as YYYY-MM-DD; used if the epic says that they are fixed, else its dates come from the milestones of its
   * issues.
   */
  startDateFixed: string | null;
  dueDateFixed: string | null;
  startDateIsFixed: boolean;
  dueDateIsFixed: boolean;
}

export const epicSchema = new Schema<EpicDocument>(
  {
    ...issuableFields,
    groupId: { type: Number, required: true },
    parentId: { type: Number, default: null },
    parentPosition: Number,
    awaitedParentIid: Number,
    importedNotes: Number,
    startDateFixed: { type: String, default: null },
    dueDateFixed: { type: String, default: null },
    startDateIsFixed: { type: Boolean, default: false },
    dueDateIsFixed: { type: Boolean, default: false },
  },
  { collection: 'epics', timestamps: false },
);
// Look-up by number in the group.
epicSchema.index({ groupId: 1, iid: 1 }, { unique: true });
// Lists of one or several groups in both orders.
epicSchema.index({ groupId: 1, createdAt: -1, _id: -1 });
epicSchema.index({ groupId: 1, updatedAt: -1, _id: -1 });
// Children of an epic.
epicSchema.index({ parentId: 1 }, { partialFilterExpression: { parentId: { $gt: 0 } } });
// Epics with a label, for its deletion.
epicSchema.index({ labelIds: 1 });
// For the removal of a deleted user.
epicSchema.index({ authorId: 1 });
epicSchema.plugin(awardable);
epicSchema.plugin(journaled);
