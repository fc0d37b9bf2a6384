import { Schema } from 'mongoose';

/** Projects and groups whose CI jobs may access a project. See docs/api/pipelines.md#13. */
export interface JobTokenScopeDocument {
  /** Id of the project. */
  _id: number;
  /** Whether only the listed ones have access. */
  isLimited: boolean;
  /** In the order of addition. */
  projectIds: number[];
  groupIds: number[];
}

/** Limit of projects and groups together. */
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
// For the deletion of a listed project or group.
jobTokenScopeSchema.index({ projectIds: 1 });
jobTokenScopeSchema.index({ groupIds: 1 });
