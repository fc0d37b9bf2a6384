import { type JobsOptions, Queue } from 'bullmq';
import { connectionOf } from './redis';

/** An unfinished job with its options. */
export interface WaitingJob {
  queue: string;
  id: string;
  data: unknown;
  options: JobsOptions;
}

/** Jobs that only Redis has, for a backup: those of queues that are not filled from a database. */
export class WaitingJobs {
  private readonly queues = new Map<string, Queue>();

  constructor(private readonly redisUrl: string) {}

  /** Waiting, delayed and running jobs. */
  async *list(queue: string): AsyncGenerator<WaitingJob> {
    const opened = this.open(queue);
    // All ids in one command: a job that changes its state meanwhile is in one of them.
    const ids = await opened.getRanges(['active', 'waiting', 'prioritized', 'delayed']);
    for (const id of new Set(ids)) {
      const job = await opened.getJob(id);
      // Finished since then.
      if (!job) continue;
      const { attempts, backoff, removeOnComplete, removeOnFail } = job.opts;
      yield {
        queue,
        id,
        data: job.data,
        options: { attempts, backoff, removeOnComplete, removeOnFail } as JobsOptions,
      };
    }
  }

  /** Adds it again. An existing job with its id is the same job. */
  async add({ queue, id, data, options }: WaitingJob): Promise<void> {
    await this.open(queue).add(queue, data, { ...options, jobId: id });
  }

  private open(name: string): Queue {
    const opened =
      this.queues.get(name) ?? new Queue(name, { connection: connectionOf(this.redisUrl), prefix: 'moothall' });
    this.queues.set(name, opened);
    return opened;
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
  }
}
