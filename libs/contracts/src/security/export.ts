import { z } from 'zod';
import { bytes, errors, get, groupRef, id, operation, post, projectRef, signedIn, time } from '../operation';
import { seesVulnerabilities, seesVulnerabilitiesBelow } from './access';

export const vulnerabilityExportErrors = errors('vulnerability_export', {
  notFound: {
    status: 404,
    message: '404 Vulnerability Export Not Found',
    means: 'No such export of the caller, it is not done yet, or it was removed after an hour.',
  },
});

/** Limit of unfinished exports of one user. */
export const mostConcurrentExports = 10;

/** See docs/api/vulnerabilities.md#6. */
export const VulnerabilityExport = z.object({
  id,
  created_at: time,
  project_id: id.nullable(),
  group_id: id.nullable(),
  format: z.literal('csv'),
  status: z.enum(['created', 'running', 'finished', 'failed']),
  started_at: time.nullable(),
  finished_at: time.nullable(),
  _links: z.object({ self: z.string(), download: z.string() }),
});

const format = { export_format: z.enum(['csv']).default('csv').describe('Form of the file') };
const behindSwitch = {
  tier: 'enterprise',
  withoutTier: 'forbidden',
  description:
    'Of the trial `first_class_vulnerabilities`: 404 until an administrator switches that on (`POST /features/first_class_vulnerabilities`). Done behind the answer, and there for an hour.',
  refusals: ['common.not_found while exports are switched off'],
} as const;
const shared = {
  ...behindSwitch,
  refusals: [...behindSwitch.refusals, `common.too_many_requests with ${mostConcurrentExports} under way`],
  output: VulnerabilityExport,
};

export const exportProjectVulnerabilities = operation({
  ...shared,
  name: 'security.exports.create-of-project',
  summary: 'Export the vulnerabilities of a project',
  http: post('/security/projects/:id/vulnerability_exports'),
  access: seesVulnerabilities,
  input: z.object({ ...projectRef, ...format }),
});

export const exportGroupVulnerabilities = operation({
  ...shared,
  name: 'security.exports.create-of-group',
  summary: 'Export the vulnerabilities of the projects in a group and those below',
  http: post('/security/groups/:id/vulnerability_exports'),
  access: seesVulnerabilitiesBelow,
  input: z.object({ ...groupRef, ...format }),
});

export const exportDashboardVulnerabilities = operation({
  ...shared,
  name: 'security.exports.create-of-dashboard',
  summary: "Export the vulnerabilities of the projects on the caller's security dashboard",
  http: post('/security/vulnerability_exports'),
  access: signedIn(),
  input: z.object(format),
});

const one = z.object({ export_id: id });

export const getVulnerabilityExport = operation({
  ...behindSwitch,
  name: 'security.exports.get',
  summary: 'State of an export of vulnerabilities',
  description: '202 with `Retry-After` until it is done. For its author alone.',
  refusals: ['vulnerability_export.not_found', ...behindSwitch.refusals],
  http: get('/security/vulnerability_exports/:export_id'),
  access: signedIn(),
  input: one,
  output: VulnerabilityExport,
});

export const downloadVulnerabilityExport = operation({
  ...behindSwitch,
  name: 'security.exports.download',
  summary: 'The file of an export of vulnerabilities',
  description: 'CSV, the worst vulnerabilities first. For its author alone.',
  refusals: ['vulnerability_export.not_found', ...behindSwitch.refusals],
  http: get('/security/vulnerability_exports/:export_id/download'),
  access: signedIn(),
  input: one,
  output: bytes('text/csv'),
});
