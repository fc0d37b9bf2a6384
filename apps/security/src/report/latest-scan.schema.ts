import { Schema } from 'mongoose';

/** Of one kind of scans of a project by one scanner, the latest report that is wholly there. */
export interface LatestScan {
  /** `<project>/<kind>/<scanner>` */
  _id: string;
  projectId: number;
  reportId: number;
}

export const latestScanSchema = new Schema<LatestScan>(
  { _id: String, projectId: Number, reportId: Number },
  { versionKey: false, collection: 'latest_scans' },
);
// The end of a project.
latestScanSchema.index({ projectId: 1 });
