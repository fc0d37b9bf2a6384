import type { getSecurityReport, OutputOf } from '@moothall/contracts';
import type { SecurityReport } from './security-report.schema';

export const viewReport = (report: SecurityReport): OutputOf<typeof getSecurityReport> => ({
  id: report._id,
  project_id: report.projectId,
  report_type: report.reportType,
  ref: report.ref ?? null,
  status: report.status === 'receiving' ? 'created' : report.status,
  findings_count: report.findingsCount,
  left_out: report.leftOut ?? [],
  created_at: report.createdAt.toISOString(),
  finished_at: report.finishedAt?.toISOString() ?? null,
});
