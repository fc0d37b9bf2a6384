import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Job, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { idOf, queuesKey, suspectsKey } from './losses';
import { countsOf, type QueueCount } from './queue-counts';
import {
  type JobCounts,
  jobCountsOf,
  lengthOf,
  type QueueLength,
  type WorkingProcess,
  workingProcesses,
} from './queue-metrics';
import { connectionOf } from './redis';

/** A job that is not retried, since it crashed its process. */
export interface FailedJob {
  /** `<queue>:<job>`. */
  id: string;
  queue: string;
  reason: string;
  createdAt: Date;
  setAsideAt: Date | null;
}

/** The result of a deletion of jobs. */
export interface Deletion {
  /** Whether it checked all jobs that waited at its start. */
  isComplete: boolean;
  deleted: number;
  /** Jobs that wait still. */
  left: number;
}

/** Jobs that are checked in one round trip. */
const atOnce = 500;
/** Limit of checked jobs for each state in one deletion. */
const mostLookedAt = 100_000;

/** The queues of all services, for administrators. */
@Injectable()
export class AllQueues implements OnApplicationShutdown {
  private readonly redis: Redis;
  /** Each listens to the connection. */
  private readonly queues = new Map<string, Queue>();

  constructor(redisUrl: string) {
    this.redis = new Redis({ ...connectionOf(redisUrl), lazyConnect: true });
    // Callers and queues report the error.
    this.redis.on('error', () => undefined);
  }

  /** How many jobs are in each queue, by name of the queue. */
  async counts(): Promise<QueueCount[]> {
    return (await Promise.all((await this.names()).map((name) => countsOf(this.open(name))))).flat();
  }

  /** The latest first. Other failed jobs are removed from their queue. */
  async setAside(): Promise<FailedJob[]> {
    const queues = await this.redis.smembers(queuesKey);
    const found = await Promise.all(
      queues.map(async (name) => (await this.open(name).getFailed()).map((job) => view(name, job))),
    );
    return found.flat().toSorted((a, b) => Number(b.setAsideAt) - Number(a.setAsideAt) || (a.id < b.id ? -1 : 1));
  }

  /** Returns it to its queue. @returns undefined if there is no failed job with that id */
  async retry(id: string): Promise<FailedJob | undefined> {
    const queue = id.slice(0, id.indexOf(':'));
    if (!(await this.redis.sismember(queuesKey, queue))) return undefined;
    const job: Job | undefined = await this.open(queue).getJob(id.slice(queue.length + 1));
    if (!job || !(await job.isFailed())) return undefined;
    const seen = view(queue, job);
    await this.redis.hdel(suspectsKey(queue), idOf(job));
    await job.retry('failed');
    return seen;
  }

  /** How long each queue is, by name. */
  async lengths(): Promise<QueueLength[]> {
    return Promise.all((await this.names()).map((name) => lengthOf(this.open(name))));
  }

  /** Of all queues together. */
  async jobCounts(): Promise<JobCounts> {
    const counts = await Promise.all((await this.names()).map((name) => jobCountsOf(this.open(name))));
    const sum = (count: keyof JobCounts) => counts.reduce((all, one) => all + one[count], 0);
    return { processed: sum('processed'), failed: sum('failed'), enqueued: sum('enqueued'), dead: sum('dead') };
  }

  /** Processes that run jobs now, of all services and replicas. */
  processes(): Promise<WorkingProcess[]> {
    return workingProcesses(this.redis, (name) => this.open(name));
  }

  /**
   * Deletes jobs that wait for a worker. Jobs that are derived from a database are added again.
   * @param kind the name of the jobs
   * @returns undefined if the queue does not exist
   */
  async deleteWaiting(name: string, kind: string, withinMs: number): Promise<Deletion | undefined> {
    if (!(await this.redis.sismember(queuesKey, name))) return undefined;
    const queue = this.open(name);
    const deadline = Date.now() + withinMs;
    const ids = await queue.getRanges(['wait', 'prioritized'], 0, mostLookedAt - 1);
    let deleted = 0;
    let at = 0;
    for (; at < ids.length && Date.now() < deadline; at += atOnce) {
      const jobs = await Promise.all(ids.slice(at, at + atOnce).map((id) => queue.getJob(id)));
      const meant = jobs.filter((job) => job?.name === kind);
      deleted += (await Promise.all(meant.map((job) => queue.remove(String(job?.id))))).reduce((a, b) => a + b, 0);
    }
    const isComplete = at >= ids.length && ids.length < mostLookedAt;
    return { isComplete, deleted, left: (await countsOf(queue)).jobs.waiting };
  }

  private async names(): Promise<string[]> {
    return (await this.redis.smembers(queuesKey)).toSorted();
  }

  private open(name: string): Queue {
    const opened = this.queues.get(name) ?? new Queue(name, { connection: this.redis, prefix: 'moothall' });
    this.queues.set(name, opened);
    return opened;
  }

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

const view = (queue: string, job: Job): FailedJob => ({
  id: `${queue}:${job.id}`,
  queue,
  reason: job.failedReason,
  createdAt: new Date(job.timestamp),
  setAsideAt: job.finishedOn === undefined ? null : new Date(job.finishedOn),
});
