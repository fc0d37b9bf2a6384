import { createInterface } from 'node:readline';
import { eachAlone, PeriodicJob } from '@moothall/background';
import { present } from '@moothall/contracts';
import { Outbox } from '@moothall/database';
import { type JobHandler, type JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { ScannedProjects } from '../project/scanned-projects';
import type { Finding } from '../report-format/finding';
import { Vulnerabilities } from '../vulnerability/vulnerability.repository';
import { LatestScans } from './latest-scans.repository';
import { fileKeyOf, SecurityReports } from './security-report.repository';
import type { SecurityReport } from './security-report.schema';

interface Ingestion {
  reportId: number;
  projectId: number;
}

export const ingestions: JobQueue<Ingestion> = jobQueue({
  name: 'security.reports',
  concurrency: 4,
  sharedBy: ({ projectId }) => `project ${projectId}`,
});

const batchSize = 500;
const hourMs = 3_600_000;

/** Turns the findings of reports into vulnerabilities. Idempotent, so it can be repeated after a crash at any line. */
@Injectable()
export class IngestReport {
  constructor(
    private readonly reports: SecurityReports,
    private readonly scans: LatestScans,
    private readonly vulnerabilities: Vulnerabilities,
    private readonly projects: ScannedProjects,
    private readonly storage: ObjectStorage,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
  ) {}

  /** Queues a stored report; if Redis is down, the periodic job queues it. */
  queue({ _id, projectId }: SecurityReport): Promise<void> {
    return this.outbox.promptly(this.add(_id, projectId));
  }

  private add(reportId: number, projectId: number): Promise<void> {
    return this.jobs.add(ingestions, { reportId, projectId }, { id: `report-${reportId}` });
  }

  @WorksOn(ingestions)
  async run({ reportId }: Ingestion, job: Parameters<JobHandler<Ingestion>>[1]): Promise<void> {
    const report = await this.reports.find(reportId);
    if (report?.status !== 'created') return;
    try {
      // Vulnerabilities belong to the default branch alone: after a merge, its own report contains them.
      if (!report.ref) await this.ingest(report, job);
    } catch (error) {
      if (job.attemptsMade + 1 >= (job.opts.attempts ?? 1)) await this.reports.end(report, 'failed');
      throw error;
    }
    await this.reports.end(report, 'finished');
  }

  /** Registers a report before it counts as received, so that the end of its pipeline waits for its findings. */
  async expect(report: SecurityReport): Promise<void> {
    if (report.pipelineId !== undefined) for (const scan of report.scans) await this.scans.begin(report, scan);
  }

  /** Records that no further reports of a pipeline will come. */
  async complete(projectId: number, pipelineId: number): Promise<void> {
    for (const scan of await this.scans.complete(projectId, pipelineId))
      await this.vulnerabilities.noteUnseen(projectId, scan, scan.reportId);
  }

  private async ingest(report: SecurityReport, job: Parameters<JobHandler<Ingestion>>[1]): Promise<void> {
    const { projectId, userId } = report;
    const numbers = new Map<string, number>();
    for (const scan of report.scans) numbers.set(scan.scannerId, await this.scans.begin(report, scan));
    let done = 0;
    for await (const batch of this.batchesOf(report)) {
      const numberOf = ({ scanner }: Finding) => present(numbers.get(scanner.externalId), 'the scan of a finding');
      for (const seenIn of new Set(batch.map(numberOf))) {
        const findings = batch.filter((finding) => numberOf(finding) === seenIn);
        await this.vulnerabilities.report(projectId, findings, { seenIn, userId });
      }
      done += batch.length;
      await job.updateProgress(done);
    }
    // The later of two reports sees both: each one first records its completion, and then reads the latest state.
    for (const scan of report.scans)
      await this.vulnerabilities.noteUnseen(projectId, scan, await this.scans.end(report, scan));
    // If the project was deleted meanwhile, its records may have been removed before this run wrote the last ones.
    if (await this.projects.isThere(projectId)) return;
    await this.vulnerabilities.forget(projectId);
    await this.scans.forget(projectId);
  }

  private async *batchesOf({ _id }: SecurityReport): AsyncGenerator<Finding[]> {
    const { stream } = await this.storage.read(fileKeyOf(_id));
    let batch: Finding[] = [];
    try {
      for await (const line of createInterface({ input: stream })) {
        batch.push(JSON.parse(line));
        if (batch.length < batchSize) continue;
        yield batch;
        batch = [];
      }
      if (batch.length > 0) yield batch;
    } finally {
      // After an error the file is still open.
      stream.destroy();
    }
  }

  /** Redis may have lost the jobs; the records show which reports are unfinished. */
  @PeriodicJob('reports of scanners', { everySeconds: 10 })
  async queueUnfinished(signal?: AbortSignal): Promise<void> {
    await eachAlone(this.reports.unfinished(), ({ _id, projectId }) => this.add(_id, projectId), signal);
  }

  @PeriodicJob('old reports of scanners', { everySeconds: 600 })
  async removeOld(): Promise<void> {
    const now = Date.now();
    await this.reports.removeOld(new Date(now - hourMs), new Date(now - 7 * 24 * hourMs));
  }
}
