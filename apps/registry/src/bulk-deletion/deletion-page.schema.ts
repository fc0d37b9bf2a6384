import { Schema } from 'mongoose';
import { mostTogether } from '../tag/remove-tags';
import type { PlannedTag } from '../tag/tag.repository';

const keptSeconds = 7 * 24 * 3600;

/** A page of the plan of a bulk deletion. */
export interface DeletionPage {
  /** `<plan>/<number>` */
  _id: string;
  planId: string;
  number: number;
  repositoryId: number;
  tags: PlannedTag[];
  begunAt: Date | null;
  isDone: boolean;
  createdAt: Date;
}

export const deletionPageSchema = new Schema<DeletionPage>(
  {
    _id: String,
    planId: String,
    number: Number,
    repositoryId: Number,
    tags: { type: [Object], most: mostTogether },
    begunAt: { type: Date, default: null },
    isDone: { type: Boolean, default: false },
    createdAt: Date,
  },
  { versionKey: false, collection: 'deletion_pages' },
);
// The next page of a plan.
deletionPageSchema.index({ planId: 1, isDone: 1, number: 1 });
// Recently deleted tags of a repository.
deletionPageSchema.index({ repositoryId: 1, begunAt: 1 });
deletionPageSchema.index({ createdAt: 1 }, { expireAfterSeconds: keptSeconds });
