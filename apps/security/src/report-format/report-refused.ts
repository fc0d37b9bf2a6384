/** The error of a report, for its author. */
export class ReportRefused extends Error {
  override name = 'ReportRefused';
}
