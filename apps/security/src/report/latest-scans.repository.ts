import { present } from '@moothall/contracts';
import { collectionOf } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import type { Scan } from '../report-format/read-report';
import type { LatestScan } from './latest-scan.schema';
import type { SecurityReport } from './security-report.schema';

type Of = Pick<SecurityReport, '_id' | 'projectId' | 'pipelineId'>;

/** The number for reports of an older pipeline: later findings are not affected. */
const stale = 0;

/** The initial state of a record. */
const unknown = ({ projectId }: Of, { reportType, scannerId }: Scan): PipelineStage.Set => ({
  $set: {
    projectId,
    reportType: { $literal: reportType },
    scannerId: { $literal: scannerId },
    reportId: { $ifNull: ['$reportId', 0] },
    pipelineId: { $ifNull: ['$pipelineId', 0] },
    pipelineNumber: { $ifNull: ['$pipelineNumber', 0] },
    pending: { $ifNull: ['$pending', []] },
    ended: { $ifNull: ['$ended', []] },
    isComplete: { $ifNull: ['$isComplete', false] },
  },
});

/** The last update, of the end of the pipeline or of a report, finds that all is complete. */
const takenTogether: PipelineStage.Set = {
  $set: {
    reportId: {
      $cond: [
        { $and: ['$isComplete', { $eq: [{ $size: '$pending' }, 0] }] },
        { $max: ['$reportId', '$pipelineNumber'] },
        '$reportId',
      ],
    },
  },
};

/**
 * Decides which of several scans is current: among uploaded reports the latest; among pipelines the newest, whose
 * reports count as one. Each change is one idempotent update.
 */
@Injectable()
export class LatestScans {
  constructor(@InjectModel('LatestScan') private readonly scans: Model<LatestScan>) {}

  /** Called before the findings are stored. @returns the number of the scan for the findings */
  async begin(report: Of, scan: Scan): Promise<number> {
    const { _id, pipelineId } = report;
    if (pipelineId === undefined) return _id;
    const isNewer = { $gt: [pipelineId, '$pipelineId'] };
    const isAwaited = { $and: [{ $eq: [pipelineId, '$pipelineId'] }, { $not: { $in: [_id, '$ended'] } }] };
    const next = { $max: [_id, { $add: ['$pipelineNumber', 1] }, { $add: ['$reportId', 1] }] };
    const noted = await this.update(report, scan, {
      $set: {
        pipelineId: { $max: ['$pipelineId', pipelineId] },
        pipelineNumber: { $cond: [isNewer, next, '$pipelineNumber'] },
        isComplete: { $cond: [isNewer, false, '$isComplete'] },
        pending: { $cond: [isNewer, [_id], { $cond: [isAwaited, { $setUnion: ['$pending', [_id]] }, '$pending'] }] },
        ended: { $cond: [isNewer, [], '$ended'] },
      },
    });
    return noted.pipelineId === pipelineId ? noted.pipelineNumber : stale;
  }

  /** Called when the findings are stored. @returns number of the latest complete scan */
  async end(report: Of, scan: Scan): Promise<number> {
    const { _id, pipelineId } = report;
    const isOurs = { $eq: [pipelineId, '$pipelineId'] };
    const ended = { $setUnion: ['$ended', [_id]] };
    const change: PipelineStage.Set =
      pipelineId === undefined
        ? { $set: { reportId: { $max: ['$reportId', _id] } } }
        : { $set: { pending: { $setDifference: ['$pending', [_id]] }, ended: { $cond: [isOurs, ended, '$ended'] } } };
    return (await this.update(report, scan, change)).reportId;
  }

  /** Called when no further reports of a pipeline will come. @returns scans for which it is the newest pipeline */
  async complete(projectId: number, pipelineId: number): Promise<LatestScan[]> {
    const completed = [{ $set: { isComplete: true } }, takenTogether];
    await collectionOf(this.scans).updateMany({ projectId, pipelineId }, completed);
    return this.scans.find({ projectId, pipelineId }).lean<LatestScan[]>();
  }

  async forget(projectId: number): Promise<void> {
    await this.scans.deleteMany({ projectId });
  }

  private async update(report: Of, scan: Scan, change: PipelineStage.Set): Promise<LatestScan> {
    const _id = `${report.projectId}/${scan.reportType}/${scan.scannerId}`;
    const stages = [unknown(report, scan), change, takenTogether];
    const options = { upsert: true, returnDocument: 'after' } as const;
    const updated = await collectionOf(this.scans).findOneAndUpdate({ _id }, stages, options);
    return present(updated, `the latest scan ${_id}`);
  }
}
