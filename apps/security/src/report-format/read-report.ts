import { type LeftOutReason, present, type ReportType, reportTypes } from '@moothall/contracts';
import { cycloneDx } from './cyclonedx';
import { type Finding, findingOf, scannerOf } from './finding';
import { jsonReport } from './json-report';
import { either, type JsonLimits, readWanted, type Wanted } from './read-wanted';
import type { ReportContents, ReportFormat } from './report-format';
import { ReportRefused } from './report-refused';
import { sarif } from './sarif';

export interface ReportLimits extends JsonLimits {
  findings: number;
  scanners: number;
  /** Size of the findings in their stored form. */
  findingBytes: number;
}

/** A scanner whose findings of one kind are complete in a report. */
export interface Scan {
  reportType: ReportType;
  scannerId: string;
}

/** Number of skipped results, by reason. */
export interface LeftOut {
  reason: LeftOutReason;
  count: number;
}

export interface ReadReport {
  reportType: ReportType;
  scans: Scan[];
  leftOut: LeftOut[];
  findings: Finding[];
}

const formats: readonly ReportFormat[] = [jsonReport, sarif, cycloneDx];

const wantedOf = (most: number): Wanted => formats.map((format) => format.wanted(most)).reduce(either);

/**
 * Reads a report as a stream, and validates all of it before anything is stored.
 * @param given kind of scan according to the uploader
 * @throws ReportRefused
 */
export async function readReport(
  chunks: AsyncIterable<Uint8Array>,
  given: ReportType | undefined,
  limits: ReportLimits,
): Promise<ReadReport> {
  const types = new Set<ReportType>();
  const known = new Map<string, Finding>();
  const scannerIds = new Set<string>();
  const leftOut = new Map<LeftOutReason, number>();
  const leaveOut = (reason: LeftOutReason) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  let left = limits.findings;
  for await (const document of readWanted(chunks, wantedOf(limits.findings), limits)) {
    const contents = read(document);
    const type = typeOf(contents, given);
    if (types.add(type).size > 1) throw new ReportRefused('its documents are of several kinds');
    for (const scanner of contents.scanners) scannerIds.add(scannerOf(scanner).externalId);
    for (const one of contents.findings) {
      if (typeof one === 'string') {
        leaveOut(one);
        continue;
      }
      if (left-- === 0) throw new ReportRefused(`it has more than ${limits.findings} findings`);
      const finding = findingOf(type, one);
      scannerIds.add(finding.scanner.externalId);
      if (known.has(finding.fingerprint)) leaveOut('repeated');
      else known.set(finding.fingerprint, finding);
    }
    requireFew(scannerIds, limits);
  }
  const reportType = present([...types][0], 'the kind of a report that was read');
  const scans = [...scannerIds].map((scannerId) => ({ reportType, scannerId }));
  const counts = [...leftOut].map(([reason, count]) => ({ reason, count }));
  return { reportType, scans, leftOut: counts, findings: [...known.values()] };
}

/** Each scanner is processed separately at the end. */
function requireFew(scannerIds: ReadonlySet<string>, { scanners }: ReportLimits): void {
  if (scannerIds.size > scanners) throw new ReportRefused(`it is of more than ${scanners} scanners`);
}

function read(document: unknown): ReportContents {
  const format =
    typeof document === 'object' && document !== null ? formats.find((one) => one.isFormat(document)) : undefined;
  if (!format) throw new ReportRefused('it is of no known format');
  return format.read(document as object);
}

function typeOf({ reportType, usualType }: ReportContents, given: ReportType | undefined): ReportType {
  if (reportType === undefined) {
    const type = given ?? usualType;
    if (!type) throw new ReportRefused('it does not say what was scanned: report_type is needed');
    return type;
  }
  const known = reportTypes.find((type) => type === reportType);
  if (!known)
    throw new ReportRefused(`it is of the kind ${JSON.stringify(reportType.slice(0, 50))}, which is not known`);
  if (given && given !== known) throw new ReportRefused(`it is of the kind ${known}, not ${given}`);
  return known;
}
