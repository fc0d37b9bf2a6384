import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Job, Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { idOf, queuesKey, suspectsKey } from './losses';
import { countsOf, type QueueCount } from './queue-counts';
import { connectionOf } from './redis';

/** A job that nobody tries any more, since it took its process along. */
export interface SetAsideJob {
  /** `<queue>:<job>`. */
  id: string;
  queue: string;
  reason: string;
  createdAt: Date;
  setAsideAt: Date | null;
}

/** What administrators see of the queues of all services. */
@Injectable()
export class AllQueues implements OnApplicationShutdown {
  private readonly redis: Redis;
  /** Each listens to the connection. */
  private readonly queues = new Map<string, Queue>();

  constructor(redisUrl: string) {
    this.redis = new Redis({ ...connectionOf(redisUrl), lazyConnect: true });
    // Said by whoever asks meanwhile, and by the queues.
    this.redis.on('error', () => undefined);
  }

  /** How many jobs are in each queue, by name of the queue. */
  async counts(): Promise<QueueCount[]> {
    const names = await this.redis.smembers(queuesKey);
    return (await Promise.all(names.toSorted().map((name) => countsOf(this.open(name))))).flat();
  }

  /** The latest first. Jobs that fail otherwise leave their queue, so what has failed there is set aside. */
  async setAside(): Promise<SetAsideJob[]> {
    const queues = await this.redis.smembers(queuesKey);
    const found = await Promise.all(
      queues.map(async (name) => (await this.open(name).getFailed()).map((job) => view(name, job))),
    );
    return found.flat().toSorted((a, b) => Number(b.setAsideAt) - Number(a.setAsideAt) || (a.id < b.id ? -1 : 1));
  }

  /** Puts it back into its queue. @returns undefined when none of that id is set aside */
  async retry(id: string): Promise<SetAsideJob | undefined> {
    const queue = id.slice(0, id.indexOf(':'));
    if (!(await this.redis.sismember(queuesKey, queue))) return undefined;
    const job: Job | undefined = await this.open(queue).getJob(id.slice(queue.length + 1));
    if (!job || !(await job.isFailed())) return undefined;
    const seen = view(queue, job);
    await this.redis.hdel(suspectsKey(queue), idOf(job));
    await job.retry('failed');
    return seen;
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

const view = (queue: string, job: Job): SetAsideJob => ({
  id: `${queue}:${job.id}`,
  queue,
  reason: job.failedReason,
  createdAt: new Date(job.timestamp),
  setAsideAt: job.finishedOn === undefined ? null : new Date(job.finishedOn),
});
