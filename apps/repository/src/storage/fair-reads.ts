import type { OperationContext } from '@moothall/contracts';
import { shareOf } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { type CallHandler, type ExecutionContext, Inject, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import { GitQueue } from '../git/process/git-queue';
import type { RepositorySettings } from '../settings/settings';

/** Callers have timed out by then. */
const waitMs = 25_000;

/** The queue of reads that start git: one per process, because Nest creates an interceptor for each module. */
@Injectable()
export class ReadQueue extends GitQueue {
  constructor(@Inject(settingsToken) { GIT_MAX_PROCESSES, GIT_SHARE }: RepositorySettings) {
    super({
      places: GIT_MAX_PROCESSES,
      share: Math.max(1, Math.floor(GIT_SHARE / 2)),
      maxWaiting: 500,
      waitMs,
    });
  }
}

/** For operations that start git: callers take turns. Reads from caches do not wait. */
@Injectable()
export class FairReads implements NestInterceptor {
  constructor(private readonly queue: ReadQueue) {}

  async intercept(execution: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const place = await this.queue.acquire(shareOf(execution.getArgByIndex<OperationContext>(1)));
    return next.handle().pipe(finalize(place.release));
  }
}
