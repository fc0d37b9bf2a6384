/** Behind a row of an export: rows are by severity, then by project, then by number. */
export interface Position {
  severityRank: number;
  projectId: number;
  id: number;
}
