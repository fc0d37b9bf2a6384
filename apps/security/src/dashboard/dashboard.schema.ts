import { Schema } from 'mongoose';

/** Projects on the security dashboard of a user. */
export interface Dashboard {
  /** Id of the user. */
  _id: number;
  projectIds: number[];
}

/** Limit for one dashboard. */
export const mostProjects = 1_000;

export const dashboardSchema = new Schema<Dashboard>(
  { _id: Number, projectIds: { type: [Number], most: mostProjects } },
  { versionKey: false, collection: 'dashboards' },
);
// For the deletion of a project.
dashboardSchema.index({ projectIds: 1 });
