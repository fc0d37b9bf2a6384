import { commonErrors, isError } from '@moothall/contracts';
import type { Logger } from '@nestjs/common';

/**
 * Logs failed runs of periodic jobs. During the start another service may not be ready yet: that is worth a
 * warning if it still fails in the next run.
 */
export class FailedTurns {
  private readonly waiting = new Set<string>();

  constructor(
    private readonly service: string,
    private readonly log: Pick<Logger, 'log' | 'warn'>,
  ) {}

  failed(job: string, error: unknown): void {
    const isFirst = isError(error, commonErrors.unavailable) && !this.waiting.has(job);
    this.waiting.add(job);
    this.log[isFirst ? 'log' : 'warn'](`${this.service} ${job} is tried again: ${error}`);
  }

  done(job: string): void {
    this.waiting.delete(job);
  }
}
