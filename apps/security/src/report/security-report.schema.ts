import { leftOutReasons, type ReportType } from '@moothall/contracts';
import { Schema } from 'mongoose';
import type { LeftOut, Scan } from '../report-format/read-report';
import { mostScanners } from '../report-format/report-reader';

/** A report of a scanner. Its findings are a file until they are vulnerabilities. */
export interface SecurityReport {
  /** Later ones have larger ones: which of two says how things are now. */
  _id: number;
  projectId: number;
  userId: number;
  /** The branch that was scanned; null for the default branch. */
  ref: string | null;
  reportType: ReportType;
  /** Where it is from, when a service gave it: no two have the same. */
  origin?: string;
  /** Of which the job was that left it: the reports of one are taken together. */
  pipelineId?: number;
  scans: Scan[];
  findingsCount: number;
  /** Absent in what earlier versions wrote. */
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
// What is to be done, and what was done long ago.
securityReportSchema.index({ status: 1, createdAt: 1 });
// The end of a project.
securityReportSchema.index({ projectId: 1 });
