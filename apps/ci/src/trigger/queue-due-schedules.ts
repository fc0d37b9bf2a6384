import { PeriodicJob } from '@moothall/background';
import { Jobs } from '@moothall/jobs';
import { Injectable } from '@nestjs/common';
import { type DueRun, Schedules } from '../schedule/schedule.repository';
import { scheduleRuns } from './schedule-runs';

const batch = 500;
/** Limit of the queue, which also limits duplicates and losses of Redis. */
const mostWaiting = 2000;
/** Interval at which it starts again from the longest due: for losses of Redis, and for clocks that were set back. */
const againAfterMs = 10_000;
/** A run that is still due after this time may belong to a dead worker, which the queue notices late. */
const suspiciousAfterMs = 20_000;

/**
 * Queues due schedules. MongoDB stores when they are due, so after a start, a new leader or an emptied Redis it only
 * reads again: queued jobs keep their id and are not queued twice.
 */
@Injectable()
export class QueueDueSchedules {
  private position?: DueRun | undefined;
  private hasReachedEnd = true;
  private begunAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly schedules: Schedules,
    private readonly jobs: Jobs,
  ) {}

  /** Continues after the last queued one, while the queue has room. */
  @PeriodicJob('due schedules', { everySeconds: 0.5 })
  async look(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.hasRoom())) {
      this.beginAnewInTime();
      const due = await this.schedules.due(new Date(), this.position, batch);
      if (due.length > 0) await this.queue(due);
      this.position = due.at(-1) ?? this.position;
      this.hasReachedEnd = due.length < batch;
      if (this.hasReachedEnd) return;
    }
  }

  private async hasRoom(): Promise<boolean> {
    return (await this.jobs.open(scheduleRuns).getWaitingCount()) < mostWaiting;
  }

  private beginAnewInTime(): void {
    const nowMs = performance.now();
    if (!this.hasReachedEnd || nowMs - this.begunAtMs < againAfterMs) return;
    this.begunAtMs = nowMs;
    this.position = undefined;
  }

  private queue(due: DueRun[]): Promise<void> {
    const jobs = due.map((run) => ({
      id: jobId(run, Date.now()),
      data: { scheduleId: run.scheduleId, dueAt: run.dueAt.toISOString() },
    }));
    return this.jobs.addAll(scheduleRuns, jobs);
  }
}

/**
 * The same run is the same job, except a suspicious one, which may get a second job: the unique key of the pipeline
 * admits one.
 */
function jobId({ scheduleId, dueAt }: DueRun, nowMs: number): string {
  const id = `${scheduleId}@${dueAt.getTime()}`;
  const lateness = Math.floor((nowMs - dueAt.getTime()) / suspiciousAfterMs);
  return lateness > 0 ? `${id}+${lateness}` : id;
}
