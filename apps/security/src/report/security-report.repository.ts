import { eachAlone } from '@moothall/background';
import { commonErrors, present, securityReportErrors } from '@moothall/contracts';
import { Counters, isDuplicateKey } from '@moothall/database';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { LatestScans } from './latest-scans.repository';
import type { SecurityReport } from './security-report.schema';

/** Queries on reports of scanners, including the stored files. */
@Injectable()
export class SecurityReports {
  constructor(
    @InjectModel('SecurityReport') private readonly reports: Model<SecurityReport>,
    private readonly scans: LatestScans,
    private readonly counters: Counters,
    private readonly storage: ObjectStorage,
  ) {}

  async receive(given: Omit<SecurityReport, '_id' | 'status' | 'createdAt' | 'finishedAt'>): Promise<SecurityReport> {
    const _id = await this.counters.next('security_reports');
    const report: SecurityReport = { ...given, _id, status: 'receiving', createdAt: new Date(), finishedAt: null };
    try {
      await this.reports.create(report);
      return report;
    } catch (error) {
      if (given.origin === undefined || !isDuplicateKey(error, 'origin')) throw error;
      // The process that started it was killed, or is still working on it.
      return present(await this.findByOrigin(given.origin), `the report of ${given.origin}`);
    }
  }

  findByOrigin(origin: string): Promise<SecurityReport | null> {
    return this.reports.findOne({ origin }).lean<SecurityReport>();
  }

  find(id: number): Promise<SecurityReport | null> {
    return this.reports.findById(id).lean<SecurityReport>();
  }

  /** @throws security_report.not_found */
  async get(projectId: number, id: number): Promise<SecurityReport> {
    const report = await this.reports
      .findOne({ _id: id, projectId, status: { $ne: 'receiving' } })
      .lean<SecurityReport>();
    if (!report) throw securityReportErrors.notFound();
    return report;
  }

  async isReceiving(id: number): Promise<boolean> {
    return (await this.reports.exists({ _id: id, status: 'receiving' })) !== null;
  }

  /** @throws common.unavailable if it was aborted, or its project was deleted during the upload */
  async noteReceived(id: number): Promise<void> {
    const { matchedCount } = await this.reports.updateOne(
      { _id: id, status: 'receiving' },
      { $set: { status: 'created' } },
    );
    if (matchedCount > 0 || (await this.reports.exists({ _id: id }))) return;
    await this.storage.remove(fileKeyOf(id));
    throw commonErrors.unavailable();
  }

  async end({ _id }: SecurityReport, status: 'finished' | 'failed'): Promise<void> {
    await this.reports.updateOne({ _id, status: 'created' }, { $set: { status, finishedAt: new Date() } });
    await this.storage.remove(fileKeyOf(_id));
  }

  unfinished(): AsyncIterable<SecurityReport> {
    return this.reports.find({ status: 'created' }).lean<SecurityReport>().cursor();
  }

  /** Deletes abandoned uploads, and reports that were finished long ago. */
  async removeOld(received: Date, done: Date): Promise<void> {
    const old = {
      $or: [
        { status: 'receiving' as const, createdAt: { $lt: received } },
        { status: { $in: ['finished' as const, 'failed' as const] }, createdAt: { $lt: done } },
      ],
    };
    await eachAlone(this.reports.find(old).lean<SecurityReport>().cursor(), (report) => this.remove(report));
  }

  async forget(projectId: number): Promise<void> {
    for await (const report of this.reports.find({ projectId }).lean<SecurityReport>().cursor())
      await this.remove(report);
    await this.scans.forget(projectId);
  }

  private async remove({ _id }: SecurityReport): Promise<void> {
    await this.storage.remove(fileKeyOf(_id));
    await this.reports.deleteOne({ _id });
  }
}

/** Key of the findings of a report, stored as one line of JSON each. */
export const fileKeyOf = (reportId: number): string => `reports/${reportId}.ndjson`;
