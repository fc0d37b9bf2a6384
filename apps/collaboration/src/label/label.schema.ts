import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import type { OwnerKey } from '../parent/owner';
import { mostMergedIds } from '../promotion/merged-ids';
import { mostPeople } from '../user/most-people';

/** Limit of projects with a priority of their own for one group label. */
export const mostPriorities = 10_000;

/** Priority of a label in one project; that of a group label may differ from project to project. */
export interface LabelPriority {
  projectId: number;
  priority: number;
}

export interface LabelDocument extends Outboxed {
  _id: number;
  owner: OwnerKey;
  title: string;
  /** `#rrggbb`. */
  color: string;
  description: string | null;
  priorities: LabelPriority[];
  subscriberIds: number[];
  /** Labels that this one replaces; set while the records that refer to them are updated. */
  absorbs?: number[];
  createdAt: Date;
  updatedAt: Date;
}

export const labelSchema = new Schema<LabelDocument>(
  {
    _id: { type: Number, required: true },
    owner: { type: String, required: true },
    title: { type: String, required: true },
    color: { type: String, required: true },
    description: { type: String, default: null },
    priorities: { type: [{ _id: false, projectId: Number, priority: Number }], default: [], most: mostPriorities },
    subscriberIds: { type: [Number], default: [], most: mostPeople },
    absorbs: { type: [Number], default: undefined, most: mostMergedIds },
  },
  { collection: 'labels', timestamps: true },
);
// Unique name per owner.
labelSchema.index({ owner: 1, title: 1 }, { unique: true });
// Labels of a project and of the groups above it, by name.
labelSchema.index({ owner: 1, title: 1, _id: 1 });
// Labels by name in all projects, for filters across projects.
labelSchema.index({ title: 1 });
// Interrupted promotions.
labelSchema.index({ absorbs: 1 }, { sparse: true });
// Labels with a priority in a project, for its deletion.
labelSchema.index({ 'priorities.projectId': 1 }, { sparse: true });
labelSchema.plugin(outboxed);
