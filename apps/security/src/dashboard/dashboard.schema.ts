import { Schema } from 'mongoose';

/** Projects that a user has on the security dashboard. */
export interface Dashboard {
  /** Id of the user. */
  _id: number;
  projectIds: number[];
}

export const dashboardSchema = new Schema<Dashboard>(
  { _id: Number, projectIds: [Number] },
  { versionKey: false, collection: 'dashboards' },
);
// The end of a project.
dashboardSchema.index({ projectIds: 1 });
