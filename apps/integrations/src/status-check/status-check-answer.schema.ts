import type { StatusCheckState } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** The answer of a check for a merge request at one head of its source branch. */
export interface StatusCheckAnswer {
  _id: number;
  projectId: number;
  iid: number;
  sha: string;
  checkId: number;
  status: StatusCheckState;
  /** When it was last requested, or answered `pending`: the timeout starts then. */
  askedAt: Date;
}

export const statusCheckAnswerSchema = new Schema<StatusCheckAnswer>(
  {
    _id: Number,
    projectId: Number,
    iid: Number,
    sha: String,
    checkId: Number,
    status: String,
    askedAt: Date,
  },
  { versionKey: false, collection: 'status_check_answers' },
);
// Answers of a merge request at its head, one per check; and all of a project.
statusCheckAnswerSchema.index({ projectId: 1, iid: 1, sha: 1, checkId: 1 }, { unique: true });
// For the deletion of a check.
statusCheckAnswerSchema.index({ checkId: 1 });
