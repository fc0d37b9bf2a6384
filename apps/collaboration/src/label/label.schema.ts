import { type Outboxed, outboxed } from '@moothall/database';
import { Schema } from 'mongoose';
import type { OwnerKey } from '../parent/owner';
import { mostMergedIds } from '../promotion/merged-ids';
import { mostPeople } from '../user/most-people';

/** Projects that give one label of a group a priority of their own. */
export const mostPriorities = 10_000;

/** How urgent a label is in one project; a group's label may differ from project to project. */
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
  /** Labels that this one takes the place of; set while what refers to them still changes over. */
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
// One label of a name for each owner.
labelSchema.index({ owner: 1, title: 1 }, { unique: true });
// Lists of a project's labels, and those of the groups above it, by name.
labelSchema.index({ owner: 1, title: 1, _id: 1 });
// Labels of a name anywhere, for filters across projects.
labelSchema.index({ title: 1 });
// Promotions that a stop has left unfinished.
labelSchema.index({ absorbs: 1 }, { sparse: true });
// Those that count for something in a project, once it is gone.
labelSchema.index({ 'priorities.projectId': 1 }, { sparse: true });
labelSchema.plugin(outboxed);
