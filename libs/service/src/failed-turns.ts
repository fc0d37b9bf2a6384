import { commonErrors, isError } from '@moothall/contracts';
import type { Logger } from '@nestjs/common';

/**
 * Logs turns of sweeps that failed. While all is being started whoever is asked may not be there yet: that is worth a
 * warning where it is still so in the next turn.
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
