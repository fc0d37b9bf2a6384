import type { ReportType } from '@moothall/contracts';
import { Schema } from 'mongoose';

/** The latest complete scan of a project by kind and scanner, and the pipeline in progress. */
export interface LatestScan {
  /** `<project>/<kind>/<scanner>` */
  _id: string;
  projectId: number;
  reportType: ReportType;
  scannerId: string;
  /** Number of the latest complete scan: findings last seen in an earlier one no longer exist. */
  reportId: number;
  /** The newest pipeline with a report; 0 before there is one. */
  pipelineId: number;
  /** The common number of the pipeline's reports. */
  pipelineNumber: number;
  /** Its reports whose findings are not stored yet. */
  pending: number[];
  /** Its reports whose findings are stored: a repeat need not wait. */
  ended: number[];
  /** Whether no further reports will come. */
  isComplete: boolean;
}

/** Limit of reports of one pipeline: one per job, above the limit of jobs. */
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
// For the deletion of projects and pipelines.
latestScanSchema.index({ projectId: 1, pipelineId: 1 });
