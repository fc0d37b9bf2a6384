import { Schema } from 'mongoose';
import { awardable } from '../activity/awardable';
import { type Issuable, issuableFields } from '../issuable/issuable';
import { journaled } from '../journal/journal';

export interface EpicDocument extends Issuable {
  groupId: number;
  state: 'opened' | 'closed';
  parentId: number | null;
  /** Its place among those below the same; absent or null before all that have one. */
  parentPosition?: number | null;
  /** Number of a parent that an import has yet to bring. */
  awaitedParentIid?: number;
  /** How many of its notes an import has brought. */
  importedNotes?: number;
  /** Days, as YYYY-MM-DD; shown where the epic says that they are fixed, else those of its issues' milestones are. */
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
// By number in the group, on every operation below an epic by iid.
epicSchema.index({ groupId: 1, iid: 1 }, { unique: true });
// Lists of one or several groups in both orders.
epicSchema.index({ groupId: 1, createdAt: -1, _id: -1 });
epicSchema.index({ groupId: 1, updatedAt: -1, _id: -1 });
// Children of an epic.
epicSchema.index({ parentId: 1 }, { partialFilterExpression: { parentId: { $gt: 0 } } });
// Epics with a label, when it goes.
epicSchema.index({ labelIds: 1 });
// What a deleted user leaves.
epicSchema.index({ authorId: 1 });
epicSchema.plugin(awardable);
epicSchema.plugin(journaled);
