import { z } from 'zod';
import {
  commonErrors,
  type FileLimit,
  get,
  id,
  internalOnProject,
  nothing,
  operation,
  post,
  projectRef,
  time,
  uploadedFile,
} from '../operation';
import { seesVulnerabilities, sendsReports } from './access';

/** Kinds of scans. */
export const reportTypes = ['sast', 'secret_detection', 'dependency_scanning', 'container_scanning', 'dast'] as const;
export type ReportType = (typeof reportTypes)[number];

/** Why something in a report is no finding. See docs/api/vulnerabilities.md#2. */
export const leftOutReasons = ['not_failed', 'absent', 'suppressed', 'not_affected', 'resolved', 'repeated'] as const;
export type LeftOutReason = (typeof leftOutReasons)[number];

export const reportLimit: FileLimit<number> = { bytes: 100 * 1024 ** 2, tooLarge: () => commonErrors.tooLarge() };

/** A report of a scanner with its progress. See docs/api/vulnerabilities.md#2. */
export const SecurityReport = z.object({
  id,
  project_id: id,
  report_type: z.enum(reportTypes),
  ref: z.string().nullable().describe('The branch it is of; null for the default branch'),
  status: z.enum(['created', 'finished', 'failed']),
  findings_count: z.int().describe('Findings in it, each counted once'),
  left_out: z
    .array(
      z.object({
        reason: z.enum(leftOutReasons).describe('Why they are no findings'),
        count: z.int().describe('How many there are'),
      }),
    )
    .describe('Results that are no findings'),
  created_at: time,
  finished_at: time.nullable(),
});
export type SecurityReport = z.infer<typeof SecurityReport>;

export const uploadSecurityReport = operation({
  name: 'security.reports.upload',
  summary: 'Upload the report of a scanner',
  description:
    'JSON reports of the v4 API for `sast`, `secret_detection`, `dependency_scanning`, `container_scanning` and `dast`, SARIF 2.1.0, and CycloneDX from 1.4 on with vulnerabilities. Findings on the default branch become vulnerabilities in the background; a finding that is reported again is stored once. A report of another branch (`ref`) is read and counted, and creates no vulnerabilities. A running job uploads with its token (`JOB-TOKEN`) into its own project.',
  refusals: ['security_report.refused', 'common.too_large'],
  http: post('/projects/:id/security_reports', { success: 202 }),
  access: sendsReports,
  takesJobToken: true,
  tier: 'enterprise',
  input: z.object({
    ...projectRef,
    file: uploadedFile(reportLimit).describe('The report, as JSON'),
    report_type: z
      .enum(reportTypes)
      .optional()
      .describe('Type of the scan; required if the report does not have it and the default of its format is wrong'),
    ref: z.string().max(1024).optional().describe('Branch that was scanned, the default branch unless given'),
  }),
  output: SecurityReport,
  timeoutSeconds: 300,
});

/**
 * The same for the default branch, from a service with the report of a job. With the same origin it is accepted once.
 * @throws security_report.refused; as the limit
 */
export const receiveSecurityReport = operation({
  name: 'security.reports.receive',
  access: internalOnProject(),
  input: z.object({
    file: uploadedFile(reportLimit),
    report_type: z.enum(reportTypes).optional(),
    origin: z.string().max(255).describe('What no other report has'),
    user_id: id.describe('The user who ran the job'),
    pipeline_id: id.optional().describe('Of which the job is: its reports are taken together'),
  }),
  output: SecurityReport,
  timeoutSeconds: 300,
});

/**
 * No more reports of a pipeline follow: findings that are in none of a scanner's reports are resolved on the default
 * branch.
 */
export const completeSecurityReports = operation({
  name: 'security.reports.complete',
  access: internalOnProject(),
  input: z.object({ pipeline_id: id }),
  output: nothing(),
});

export const getSecurityReport = operation({
  name: 'security.reports.get',
  summary: 'State of a security report',
  description: 'Reports are known for a week.',
  refusals: ['security_report.not_found'],
  http: get('/projects/:id/security_reports/:report_id'),
  access: seesVulnerabilities,
  tier: 'enterprise',
  input: z.object({ ...projectRef, report_id: id }),
  output: SecurityReport,
});
