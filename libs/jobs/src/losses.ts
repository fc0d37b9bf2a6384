import { Logger } from '@nestjs/common';
import { type Job, UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';

/** Every queue that ever had a worker, so that administrators see all. */
export const queuesKey = 'moothall:queues';
/** Hash: job to the number of its starts as a suspect. A job that ends is removed. */
export const suspectsKey = (queue: string): string => `moothall:suspects:${queue}`;
/** Hash: job to its progress at its last start as a suspect. */
const progressKey = (queue: string): string => `moothall:progress:${queue}`;
/** Hash: job to the number of its interruptions by a regular stop. */
const excusedKey = (queue: string): string => `moothall:excused:${queue}`;

/** A suspect that runs for this time does not crash its process immediately; the next one need not wait any longer. */
const aloneMs = 20_000;

/**
 * Finds the job that crashes its process, among all that ran when a process was lost. Each of them is a suspect, and
 * suspects of a process run one after the other. If the process is lost again, that job becomes a failed job, which
 * stays in its queue until an administrator retries it. A long job that reports progress (`updateProgress` with a
 * number) and got further than before is no suspect: its process is killed for another reason.
 */
export class Losses {
  private readonly log = new Logger(Losses.name);
  private readonly running = new Map<string, Job>();

  constructor(
    private readonly queue: string,
    private readonly redis: Redis,
  ) {}

  /** Runs a job, unless it must become a failed job. */
  async guard(job: Job, work: () => Promise<void>): Promise<void> {
    this.running.set(idOf(job), job);
    try {
      if (await this.isSuspect(job)) await alone(() => this.runSuspect(job, work));
      else await work();
    } finally {
      this.running.delete(idOf(job));
    }
    if (job.stalledCounter > 0) await this.redis.hdel(excusedKey(this.queue), idOf(job));
  }

  private async isSuspect(job: Job): Promise<boolean> {
    if (job.stalledCounter === 0) return false;
    const excused = await this.redis.hget(excusedKey(this.queue), idOf(job));
    return job.stalledCounter > Number(excused ?? 0);
  }

  private async runSuspect(job: Job, work: () => Promise<void>): Promise<void> {
    const begun = await this.countBegins(job);
    if (begun > 1) this.setAside(job);
    try {
      await work();
    } finally {
      await this.clear(job);
    }
  }

  /** The number of its starts as a suspect without new progress. */
  private async countBegins(job: Job): Promise<number> {
    const progress = Number(job.progress) || 0;
    const before = await this.redis.hget(progressKey(this.queue), idOf(job));
    if (before !== null && progress > Number(before)) await this.clear(job);
    await this.redis.hset(progressKey(this.queue), idOf(job), Math.max(progress, Number(before ?? 0)));
    return this.redis.hincrby(suspectsKey(this.queue), idOf(job), 1);
  }

  private async clear(job: Job): Promise<void> {
    for (const key of [suspectsKey, progressKey]) await this.redis.hdel(key(this.queue), idOf(job));
  }

  private setAside(job: Job): never {
    this.log.error(`${this.queue} ${job.id} becomes a failed job: its process was lost twice`);
    // The failed job stays with its id, so the same job cannot be added again.
    job.opts.removeOnFail = false;
    throw new UnrecoverableError('The process that worked on it was lost twice.');
  }

  /** The process got the signal to stop, and may be killed before these jobs end. */
  async excuseRunning(): Promise<void> {
    for (const job of this.running.values()) {
      await this.redis.hincrby(excusedKey(this.queue), idOf(job), 1);
      await this.clear(job);
    }
  }
}

/** The id of a job in a queue; only a job that is not yet added may have none. */
export function idOf({ id }: Job): string {
  if (id === undefined) throw new Error('the job was never added to a queue');
  return id;
}

let turn: Promise<void> = Promise.resolve();

/** Runs suspects of all queues of this process one after the other. */
async function alone(work: () => Promise<void>): Promise<void> {
  const before = turn;
  let giveOn: () => void = () => undefined;
  turn = new Promise((resolve) => {
    giveOn = resolve;
  });
  await before;
  const timer = setTimeout(giveOn, aloneMs).unref();
  try {
    await work();
  } finally {
    clearTimeout(timer);
    giveOn();
  }
}
