import { present } from '@moothall/contracts';
import { collectionOf } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import type { Scan } from '../report-format/read-report';
import type { LatestScan } from './latest-scan.schema';
import type { SecurityReport } from './security-report.schema';

type Of = Pick<SecurityReport, '_id' | 'projectId' | 'pipelineId'>;

/** What an older pipeline has to say: nothing that was seen since is seen by it. */
const stale = 0;

/** What a record is before anything is known of it. */
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

/** The last one, of the end of the pipeline and the ends of its reports, sees that all is complete. */
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
 * Which of several scans says how things are: of reports that were uploaded, the latest; of those of pipelines, the newest
 * pipeline, whose reports count as one. Each is one update, and may be done again.
 */
@Injectable()
export class LatestScans {
  constructor(@InjectModel('LatestScan') private readonly scans: Model<LatestScan>) {}

  /** Before its findings are there. @returns under which number they are seen */
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

  /** That its findings are all there. @returns number of the latest scan that is wholly there */
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

  /** That no other reports of a pipeline come. @returns scans that it is the newest pipeline of */
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
