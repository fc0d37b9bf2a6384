import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { commonErrors, OperationError, type ReportType, securityReportErrors } from '@moothall/contracts';
import { InThreads, OutOfBounds } from '@moothall/workers';
import { Injectable } from '@nestjs/common';
import type { Reading, SoundReport } from './read-in-thread';
import type { ReportLimits } from './read-report';

/** Limit for one report. */
export const mostScanners = 100;

/** See docs/api/vulnerabilities.md#2. */
const limits: ReportLimits = {
  documents: 100,
  depth: 50,
  textLength: 65_536,
  findings: 100_000,
  scanners: mostScanners,
  findingBytes: 64 * 1024 ** 2,
};

/** Reads reports in separate threads, since their authors decide how much there is to read. */
@Injectable()
export class ReportReader extends InThreads<Reading, SoundReport | { problem: string }> {
  constructor() {
    super('@moothall/security/report-format/read-in-thread', {
      withinMs: 120_000,
      memoryMb: 512,
      threads: 2,
      waiting: 20,
    });
  }

  /**
   * @param who identifies the caller: callers take turns
   * @throws security_report.refused; common.unavailable if too many reports are queued
   */
  async read(report: Readable, given: ReportType | undefined, who: string): Promise<SoundReport> {
    let failure: unknown;
    report.once('error', (error) => {
      failure = error;
    });
    // Chunks are transferred when the thread reads them.
    const bytes = Readable.toWeb(report) as ReadableStream<Uint8Array>;
    try {
      const outcome = await this.pool.run({ bytes, given, limits }, { who, transfer: [bytes] });
      if ('problem' in outcome) throw refused(outcome.problem);
      return outcome;
    } catch (error) {
      // An error of the upload explains more than the error of the thread.
      if (failure instanceof OperationError) throw failure;
      if (!(error instanceof OutOfBounds)) throw error;
      if (error.bound === 'waiting') throw commonErrors.unavailable();
      throw refused(`it takes too much ${error.bound} to be read`);
    } finally {
      report.destroy();
    }
  }
}

const refused = (problem: string) =>
  securityReportErrors.refused(`400 Bad request - The report cannot be read: ${problem}`);
