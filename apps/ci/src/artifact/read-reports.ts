import { ObjectMissing, ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import type { Artifact } from './artifact.schema';
import { openReport } from './open-report';
import { readJunit, type TestCase, UnreadableReport } from './read-junit';

/** Of all reports of a pipeline together. */
const mostBytes = 32 * 1024 ** 2;
const mostCases = 20_000;

/** The test results of one job, or an error. */
export interface TestSuite {
  jobId: number;
  cases: TestCase[];
  problem: string | null;
}

/** Reads test reports of jobs. See docs/api/artifacts.md#6. */
@Injectable()
export class ReadReports {
  constructor(private readonly storage: ObjectStorage) {}

  /** One after another, up to the limits: later ones get an error. */
  async read(reports: Artifact[]): Promise<TestSuite[]> {
    const suites: TestSuite[] = [];
    const left = { bytes: mostBytes, cases: mostCases };
    for (const report of reports) {
      const suite = await this.readOne(report, left);
      left.cases -= suite.cases.length;
      suites.push(suite);
    }
    return suites;
  }

  /** @param left is reduced by what was read */
  private async readOne(report: Artifact, left: { bytes: number; cases: number }): Promise<TestSuite> {
    const { jobId } = report;
    const bounds = { ...left };
    const counted = async function* (bytes: AsyncIterable<Buffer>) {
      for await (const chunk of bytes) {
        left.bytes = Math.max(0, left.bytes - chunk.length);
        yield chunk;
      }
    };
    try {
      return { jobId, cases: await readJunit(counted(await openReport(this.storage, report)), bounds), problem: null };
    } catch (error) {
      return { jobId, cases: [], problem: problemOf(error) };
    }
  }
}

/** An invalid report of a job is no error of the server. @throws other errors */
function problemOf(error: unknown): string {
  if (error instanceof UnreadableReport) return error.message;
  if (error instanceof ObjectMissing) return 'The report is not there any more';
  if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) return 'JUnit XML parsing failed: it cannot be unpacked';
  throw error;
}
