import { Schema } from 'mongoose';
import { mostTogether } from '../tag/remove-tags';
import type { PlannedTag } from '../tag/tag.repository';

const keptSeconds = 7 * 24 * 3600;

/** A part of what a deletion in bulk is to delete, as it was planned. */
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
// The next one to be worked on.
deletionPageSchema.index({ planId: 1, isDone: 1, number: 1 });
// What was deleted lately in a repository.
deletionPageSchema.index({ repositoryId: 1, begunAt: 1 });
deletionPageSchema.index({ createdAt: 1 }, { expireAfterSeconds: keptSeconds });
