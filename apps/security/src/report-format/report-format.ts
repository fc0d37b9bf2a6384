import { firstProblem, type LeftOutReason, type ReportType } from '@moothall/contracts';
import type { z } from 'zod';
import type { ReportedFinding } from './finding';
import type { Wanted } from './read-wanted';
import { ReportRefused } from './report-refused';

/** Content of a report, in a common form. */
export interface ReportContents {
  /** Kind of scan, if the report names it. */
  reportType?: string | undefined;
  /** Default kind of scan, unless the uploader names one. */
  usualType?: ReportType | undefined;
  /** Scanners whose findings are complete. */
  scanners: ReportedFinding['scanner'][];
  /** Findings, or reasons for skipped results. */
  findings: Iterable<ReportedFinding | LeftOutReason>;
}

interface Definition<T> {
  name: string;
  /** The parts of a document to keep, with a limit for lists. */
  wanted(most: number): Wanted;
  /** Whether a document has this format, by its kept parts. */
  isFormat(document: object): boolean;
  schema: z.ZodType<T>;
  read(document: T): ReportContents;
}

export interface ReportFormat extends Pick<Definition<unknown>, 'wanted' | 'isFormat'> {
  /** @throws ReportRefused for a document that does not match the schema */
  read(document: object): ReportContents;
}

export const reportFormat = <T>({ name, wanted, isFormat, schema, read }: Definition<T>): ReportFormat => ({
  wanted,
  isFormat,
  read(document) {
    const checked = schema.safeParse(document);
    if (!checked.success) throw new ReportRefused(`it is no ${name}: ${firstProblem(checked.error)}`);
    return read(checked.data);
  },
});
