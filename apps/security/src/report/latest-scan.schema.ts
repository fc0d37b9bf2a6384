import type { ReportType } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** Of one kind of scans of a project by one scanner, the latest that is wholly there, and the pipeline that is at it. */
export interface LatestScan {
  /** `<project>/<kind>/<scanner>` */
  _id: string;
  projectId: number;
  reportType: ReportType;
  scannerId: string;
  /** Number of the latest that is wholly there: what was last seen under a smaller one is no more. */
  reportId: number;
  /** The newest pipeline with a report of it; 0 before one had. */
  pipelineId: number;
  /** Under which its reports see their findings, all of them. */
  pipelineNumber: number;
  /** Reports of it whose findings are not all there. */
  pending: number[];
  /** Those whose findings are stored: repeats need no waiting. */
  ended: number[];
  /** No other reports of it come. */
  isComplete: boolean;
}

/** Of one pipeline: each is of a job, and a pipeline has room for no more. */
const mostReports = 50_000;

export const latestScanSchema = new Schema<LatestScan>(
  {
    _id: String,
    projectId: Number,
    reportType: String,
    scannerId: String,
    reportId: Number,
    pipelineId: Number,
    pipelineNumber: Number,
    pending: { type: [Number], most: mostReports },
    ended: { type: [Number], most: mostReports },
    isComplete: Boolean,
  },
  { versionKey: false, collection: 'latest_scans' },
);
// The ends of projects and of pipelines.
latestScanSchema.index({ projectId: 1, pipelineId: 1 });
