import { leftOutReasons, type ReportType } from '@moothall/contracts';
import { Schema } from 'mongoose';
import type { LeftOut, Scan } from '../report-format/read-report';
import { mostScanners } from '../report-format/report-reader';

/** A report of a scanner. Its findings are a file until they are vulnerabilities. */
export interface SecurityReport {
  /** Ascending: the report with the higher id is more recent. */
  _id: number;
  projectId: number;
  userId: number;
  /** The scanned branch; null for the default branch. */
  ref: string | null;
  reportType: ReportType;
  /** Origin of a report from another service: unique. */
  origin?: string;
  /** Pipeline of the job with the report: reports of one pipeline are combined. */
  pipelineId?: number;
  scans: Scan[];
  findingsCount: number;
  /** Absent in records of earlier versions. */
  leftOut?: LeftOut[];
  /** `receiving` until its file is stored, and hidden until then. */
  status: 'receiving' | 'created' | 'finished' | 'failed';
  createdAt: Date;
  finishedAt: Date | null;
}

export const securityReportSchema = new Schema<SecurityReport>(
  {
    _id: Number,
    projectId: Number,
    userId: Number,
    ref: { type: String, default: null },
    reportType: String,
    origin: String,
    pipelineId: Number,
    scans: { type: [Object], most: mostScanners },
    findingsCount: Number,
    leftOut: { type: [Object], default: undefined, most: leftOutReasons.length },
    status: String,
    createdAt: Date,
    finishedAt: { type: Date, default: null },
  },
  { versionKey: false, collection: 'security_reports' },
);
securityReportSchema.index({ origin: 1 }, { unique: true, sparse: true });
// Unfinished reports, and those that were finished long ago.
securityReportSchema.index({ status: 1, createdAt: 1 });
// For the deletion of a project.
securityReportSchema.index({ projectId: 1 });
