import { Schema } from 'mongoose';

/** Projects that a user has on the security dashboard. */
export interface Dashboard {
  /** Id of the user. */
  _id: number;
  projectIds: number[];
}

/** On one dashboard. */
export const mostProjects = 1_000;

export const dashboardSchema = new Schema<Dashboard>(
  { _id: Number, projectIds: { type: [Number], most: mostProjects } },
  { versionKey: false, collection: 'dashboards' },
);
// The end of a project.
dashboardSchema.index({ projectIds: 1 });
