import { setTimeout as wait } from 'node:timers/promises';
import { commonErrors } from '@moothall/contracts';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { type JobQueue, queueName } from './job-queue';
import { originOptions } from './origin';
import { queueRefusal } from './queue-refusal';
import { connectionOf } from './redis';
import { nextTurn, turnsFromNow } from './turns';

export interface JobOptions {
  /** The purpose of the job: a second request with the same id, while the first waits or runs, is the same job. */
  id: string;
  delaySeconds?: number;
  /** For queues that are per storage. */
  storage?: string;
}

/** One of many that are added together. */
type OneOfMany<T> = JobOptions & {
  data: T;
  /** Number of jobs before it. Jobs that others add later may run between; all jobs of a queue have it, or none. */
  behind?: number;
};

/** Limit of the wait for an unavailable Redis. */
const mostWaitMs = 5_000;

/** Adds jobs to queues. MongoDB is the source of truth: a caller can add a job again after Redis lost it. */
@Injectable()
export class Jobs implements OnApplicationShutdown {
  private readonly queues = new Map<string, Queue>();

  private readonly redis: Redis;

  /** @param pace less than 1 for shorter pauses than the queues define */
  constructor(
    private readonly redisUrl: string,
    private readonly pace = 1,
  ) {
    this.redis = new Redis({ ...connectionOf(redisUrl), lazyConnect: true });
    // Queues and callers report the error.
    this.redis.on('error', () => undefined);
  }

  /** @throws common.unavailable, common.disk_full; the job may have been added, and its id shows that */
  async add<T>(queue: JobQueue<T>, data: T, options: JobOptions): Promise<void> {
    await taken(this.put(queue, data, options));
  }

  private async put<T>(queue: JobQueue<T>, data: T, { id, delaySeconds = 0, storage }: JobOptions): Promise<void> {
    const opened = this.open(queue, storage);
    const who = queue.sharedBy?.(data);
    // A repeated request would cost its caller another turn.
    if (who !== undefined && (await opened.getJob(plain(id)))) return;
    await opened.add(queue.name, data, {
      jobId: plain(id),
      delay: delaySeconds * 1000,
      ...(who !== undefined && { priority: await nextTurn(this.redis, opened, who) }),
      ...this.retries(queue),
      ...originOptions(),
    });
  }

  /** Adds many jobs in one round trip. Not for queues that are per storage. */
  async addAll<T>(queue: JobQueue<T>, jobs: readonly OneOfMany<T>[]): Promise<void> {
    await taken(this.putAll(queue, jobs));
  }

  private async putAll<T>(queue: JobQueue<T>, jobs: readonly OneOfMany<T>[]): Promise<void> {
    const opened = this.open(queue);
    const turn = jobs.some(({ behind }) => behind !== undefined) ? await turnsFromNow(opened) : undefined;
    const origin = originOptions();
    await opened.addBulk(
      jobs.map(({ id, delaySeconds = 0, data, behind }) => ({
        name: queue.name,
        data,
        opts: {
          jobId: plain(id),
          delay: delaySeconds * 1000,
          ...(turn && behind !== undefined && { priority: turn(behind) }),
          ...this.retries(queue),
          ...origin,
        },
      })),
    );
  }

  /** The queue itself, for dashboards and metrics. */
  open<T>(queue: JobQueue<T>, storage?: string): Queue {
    const name = queueName(queue, storage);
    const opened = this.queues.get(name);
    if (opened) return opened;
    const created = new Queue(name, { connection: connectionOf(this.redisUrl), prefix: 'moothall' });
    this.queues.set(name, created);
    return created;
  }

  /** Done and failed jobs are removed from Redis, otherwise their id could not be added again. */
  private retries(queue: JobQueue<unknown>) {
    return {
      attempts: queue.attempts,
      backoff: { type: 'exponential', delay: queue.backoffSeconds * 1000 * this.pace },
      removeOnComplete: true,
      removeOnFail: true,
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    this.redis.disconnect();
  }
}

/** BullMQ reserves colons in ids. */
const plain = (id: string): string => id.replaceAll(':', '-');

async function taken(adding: Promise<unknown>): Promise<void> {
  const inTime = new AbortController();
  const late = wait(mostWaitMs, undefined, { signal: inTime.signal }).then(
    () => Promise.reject(commonErrors.unavailable()),
    () => undefined,
  );
  try {
    await Promise.race([adding, late]);
  } catch (error) {
    throw queueRefusal(error);
  } finally {
    inTime.abort();
    // The caller no longer waits.
    adding.catch(() => undefined);
  }
}
