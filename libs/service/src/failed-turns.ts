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

  failed(sweep: string, error: unknown): void {
    const isFirst = isError(error, commonErrors.unavailable) && !this.waiting.has(sweep);
    this.waiting.add(sweep);
    this.log[isFirst ? 'log' : 'warn'](`${this.service} ${sweep} is tried again: ${error}`);
  }

  done(sweep: string): void {
    this.waiting.delete(sweep);
  }
}
