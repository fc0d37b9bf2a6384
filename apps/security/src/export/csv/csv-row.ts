import type { VulnerabilityDocument } from '../../vulnerability/vulnerability.schema';

export const header = [
  'Group Name',
  'Project Name',
  'Scanner Type',
  'Scanner Name',
  'Status',
  'Vulnerability',
  'Details',
  'Additional Info',
  'Severity',
  'CVE',
];

/** First columns of a project's rows. */
export interface ProjectNames {
  groupName: string;
  projectName: string;
}

export type ExportedFields = Pick<
  VulnerabilityDocument,
  'reportType' | 'scanner' | 'state' | 'title' | 'description' | 'message' | 'severity' | 'cve'
>;

export const rowOf = (found: ExportedFields, { groupName, projectName }: ProjectNames): string[] => [
  harmless(groupName),
  harmless(projectName),
  found.reportType,
  harmless(found.scanner.name),
  found.state,
  harmless(found.title),
  harmless(found.description ?? ''),
  harmless(found.message ?? ''),
  found.severity,
  harmless(found.cve ?? ''),
];

/**
 * Spreadsheets execute cells that begin with these characters, unless an apostrophe comes first. See
 * docs/api/vulnerabilities.md#6.
 */
const harmless = (text: string): string => (/^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/.test(text) ? `'${text}` : text);
