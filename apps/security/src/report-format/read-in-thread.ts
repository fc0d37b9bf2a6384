import type { ReadableStream } from 'node:stream/web';
import type { ReportType } from '@moothall/contracts';
import type { Finding } from './finding';
import { type LeftOut, type ReadReport, type ReportLimits, readReport, type Scan } from './read-report';
import { ReportRefused } from './report-refused';

export interface Reading {
  bytes: ReadableStream<Uint8Array>;
  given: ReportType | undefined;
  limits: ReportLimits;
}

/** Result for a valid report. */
export interface SoundReport {
  reportType: ReportType;
  scans: Scan[];
  leftOut: LeftOut[];
  count: number;
  /** Findings, each a line of JSON. */
  lines: Uint8Array;
}

/** Runs in a thread that can be terminated: see ReportReader. */
export default async function readInThread({
  bytes,
  given,
  limits,
}: Reading): Promise<SoundReport | { problem: string }> {
  try {
    return pack(await readReport(bytes, given, limits), limits);
  } catch (error) {
    if (error instanceof ReportRefused) return { problem: error.message };
    throw error;
  }
}

function pack({ reportType, scans, leftOut, findings }: ReadReport, { findingBytes }: ReportLimits): SoundReport {
  const lines: Buffer[] = [];
  let sizeBytes = 0;
  for (const finding of findings) {
    const line = Buffer.from(`${lineOf(finding)}\n`);
    sizeBytes += line.length;
    if (sizeBytes > findingBytes) throw new ReportRefused('its findings are too large together');
    lines.push(line);
  }
  return { reportType, scans, leftOut, count: findings.length, lines: Buffer.concat(lines) };
}

/** JSON does not escape two characters that line readers treat as line ends. */
const lineOf = (finding: Finding): string =>
  JSON.stringify(finding).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
