import { firstProblem, type LeftOutReason, type ReportType } from '@moothall/contracts';
import type { z } from 'zod';
import type { ReportedFinding } from './finding';
import type { Wanted } from './read-wanted';
import { ReportRefused } from './report-refused';

/** What a report says, in words of its format. */
export interface ReportContents {
  /** What was scanned, as far as the report says it. */
  reportType?: string | undefined;
  /** What it is otherwise, unless its uploader says. */
  usualType?: ReportType | undefined;
  /** Scanners whose findings are all there. */
  scanners: ReportedFinding['scanner'][];
  /** With a reason for each result that is none. */
  findings: Iterable<ReportedFinding | LeftOutReason>;
}

interface Definition<T> {
  name: string;
  /** Parts of a document that are looked at, of lists so many elements at most. */
  wanted(most: number): Wanted;
  /** Whether a document is to be of this format, by what of it is wanted. */
  isFormat(document: object): boolean;
  schema: z.ZodType<T>;
  read(document: T): ReportContents;
}

export interface ReportFormat extends Pick<Definition<unknown>, 'wanted' | 'isFormat'> {
  /** @throws ReportRefused for what does not hold to the schema, all of it */
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
