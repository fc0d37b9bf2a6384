import { PeriodicJob } from '@moothall/background';
import { Jobs } from '@moothall/jobs';
import { Injectable } from '@nestjs/common';
import { type DueRun, Schedules } from '../schedule/schedule.repository';
import { scheduleRuns } from './schedule-runs';

const batch = 500;
/** So many wait in the queue at most: what is queued twice or lost with Redis is bounded by it. */
const mostWaiting = 2000;
/** So often the look begins again from the longest due: for what Redis lost, and for clocks that were set back. */
const againAfterMs = 10_000;
/** A run that is still due after so long may sit with a worker that died, which the queue notices late. */
const suspiciousAfterMs = 20_000;

/**
 * Puts what is due into the queue. MongoDB knows what is due, so a start, another leader or an emptied Redis need
 * nothing more than to look again: jobs that are queued already keep their id and are not queued twice.
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
 * The same run is the same job, but for a suspicious one, which gets a second job now and then: at most one of them
 * makes the pipeline, since its unique key admits one.
 */
function jobId({ scheduleId, dueAt }: DueRun, nowMs: number): string {
  const id = `${scheduleId}@${dueAt.getTime()}`;
  const lateness = Math.floor((nowMs - dueAt.getTime()) / suspiciousAfterMs);
  return lateness > 0 ? `${id}+${lateness}` : id;
}
