import { OperationError } from '@moothall/contracts';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ActingUser } from './acting-user';
import { AutoMerges } from './auto-merges';
import { MergeRequests } from './merge-request.repository';
import type { MergeRequestDocument } from './merge-request.schema';
import { PerformMerge } from './perform-merge';

const sweepEveryMs = 60_000;
/** Longer than any merge that is still under way may take. */
const abandonedAfterMs = 180_000;

/** Ends merges that a stop of the service, or of git's, has interrupted, and tries those that are promised. */
@Injectable()
export class ResumeMerges implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(ResumeMerges.name);
  private pending?: Promise<void>;
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly merging: PerformMerge,
    private readonly autoMerges: AutoMerges,
    private readonly acting: ActingUser,
  ) {}

  onApplicationBootstrap(): void {
    const sweep = (): void => {
      this.pending ??= this.sweep().finally(() => {
        this.pending = undefined;
      });
    };
    sweep();
    this.timer = setInterval(sweep, sweepEveryMs);
    this.timer.unref();
  }

  /** Two at once do no harm: git answers a merge that was done already, and only one result is written. */
  async sweep(): Promise<void> {
    try {
      // From the first day on, as the index says it.
      const startedAt = { $gt: new Date(0), $lt: new Date(Date.now() - abandonedAfterMs) };
      const abandoned = await this.mergeRequests.model
        .find({ 'merging.startedAt': startedAt })
        .lean<MergeRequestDocument[]>();
      for (const locked of abandoned) await this.resume(locked);
      await this.autoMerges.wakeAll();
    } catch (error) {
      this.log.warn(`sweep stopped: ${error}`);
    }
  }

  private async resume(locked: MergeRequestDocument): Promise<void> {
    const actor = await this.acting.in(locked.projectId, locked.merging!.userId);
    if (!actor) return this.merging.reopen(locked, 'Who merged it is gone');
    await this.merging.finish(locked, actor).catch((error: unknown) => {
      // It was opened again, with the error, or is tried anew by the next sweep.
      if (!(error instanceof OperationError)) throw error;
    });
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.pending;
  }
}
