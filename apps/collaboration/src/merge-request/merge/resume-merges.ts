import { eachAlone, PeriodicJob } from '@moothall/background';
import { OperationError } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { ActingUser } from '../../user/acting-user';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { AutoMerges } from './auto-merges';
import { PerformMerge } from './perform-merge';

/** Longer than any running merge may take. */
const abandonedAfterMs = 180_000;

/**
 * Completes merges that were interrupted by a stop of this service or of the repository service, and tries scheduled
 * merges.
 */
@Injectable()
export class ResumeMerges {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly merging: PerformMerge,
    private readonly autoMerges: AutoMerges,
    private readonly acting: ActingUser,
  ) {}

  /** Concurrent runs are safe: git reports a completed merge again, and only one result is written. */
  @PeriodicJob('abandoned merges', { everySeconds: 60 })
  async recover(signal?: AbortSignal): Promise<void> {
    // The lower bound lets the query use the partial index.
    const startedAt = { $gt: new Date(0), $lt: new Date(Date.now() - abandonedAfterMs) };
    const abandoned = await this.mergeRequests.model
      .find({ 'merging.startedAt': startedAt })
      .lean<MergeRequestDocument[]>();
    await eachAlone(abandoned, (locked) => this.resume(locked), signal);
  }

  @PeriodicJob('promised merges', { everySeconds: 60 })
  async wake(): Promise<void> {
    await this.autoMerges.wakeAll();
  }

  private async resume(locked: MergeRequestDocument): Promise<void> {
    const actor = locked.merging && (await this.acting.find(locked.projectId, locked.merging.userId));
    if (!actor) return this.merging.reopen(locked, 'Who merged it is gone');
    await this.merging.finish(locked, actor).catch((error: unknown) => {
      // It was reopened with the error, or the next run retries it.
      if (!(error instanceof OperationError)) throw error;
    });
  }
}
