import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import type { OwnerKey } from '../parent/owner';
import { mostMergedIds } from '../promotion/merged-ids';

export interface MilestoneDocument extends Outboxed {
  _id: number;
  owner: OwnerKey;
  /** Number within its owner. */
  iid: number;
  title: string;
  description: string | null;
  state: 'active' | 'closed';
  /** Date as YYYY-MM-DD. */
  startDate: string | null;
  dueDate: string | null;
  /** `dueDate`, or a date after all others, so that milestones without one come last. */
  dueOrder: string;
  /** Milestones that this one replaces; set while their issues are updated. */
  absorbs?: number[];
  createdAt: Date;
  updatedAt: Date;
}

/** Sort value of milestones without a due date. */
export const afterAllDays = '9999-12-31';

export const milestoneSchema = new Schema<MilestoneDocument>(
  {
    _id: { type: Number, required: true },
    owner: { type: String, required: true },
    iid: { type: Number, required: true },
    title: { type: String, required: true },
    description: { type: String, default: null },
    state: { type: String, default: 'active' },
    startDate: { type: String, default: null },
    dueDate: { type: String, default: null },
    dueOrder: { type: String, default: afterAllDays },
    absorbs: { type: [Number], default: undefined, most: mostMergedIds },
  },
  { collection: 'milestones', timestamps: true },
);
// Unique title per owner; look-up by title.
milestoneSchema.index({ owner: 1, title: 1 }, { unique: true });
// Lists by due date.
milestoneSchema.index({ owner: 1, dueOrder: 1, _id: 1 });
// Milestones by title in all projects, for filters across projects.
milestoneSchema.index({ title: 1 });
// Interrupted promotions.
milestoneSchema.index({ absorbs: 1 }, { sparse: true });
milestoneSchema.plugin(outboxed);
