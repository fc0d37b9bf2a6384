import { Schema } from 'mongoose';

/** Whose jobs a project lets in. See docs/api/pipelines.md#13. */
export interface JobTokenScopeDocument {
  /** Id of the project. */
  _id: number;
  /** Whether only those below are let in. */
  isLimited: boolean;
  /** In the order in which they were added. */
  projectIds: number[];
  groupIds: number[];
}

/** Projects and groups together. */
export const mostListed = 200;

export const jobTokenScopeSchema = new Schema<JobTokenScopeDocument>(
  {
    _id: Number,
    isLimited: { type: Boolean, default: true },
    projectIds: { type: [Number], default: [], most: mostListed },
    groupIds: { type: [Number], default: [], most: mostListed },
  },
  { versionKey: false, collection: 'job_token_scopes' },
);
// Where a project, or a group, is to be forgotten.
jobTokenScopeSchema.index({ projectIds: 1 });
jobTokenScopeSchema.index({ groupIds: 1 });
