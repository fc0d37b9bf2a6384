/** A position after a row of an export: rows are sorted by severity, then by project, then by number. */
export interface Position {
  severityRank: number;
  projectId: number;
  id: number;
}
