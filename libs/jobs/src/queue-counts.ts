import { setTimeout as wait } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** What jobs of a queue wait for: a worker, their time, their end, or an administrator. */
const states = {
  waiting: ['wait', 'prioritized'],
  delayed: ['delayed'],
  active: ['active'],
  set_aside: ['failed'],
} as const;

export type QueueState = keyof typeof states;

export interface QueueCount {
  queue: string;
  jobs: Record<QueueState, number>;
}

/** The timeout of counts if Redis is unreachable. */
const mostWaitMs = 1_000;

/** How many jobs are in each of the queues that a process works on. */
export class QueueCounts {
  private readonly queues: Queue[];

  constructor(names: readonly string[], redis: Redis) {
    this.queues = names.map((name) => new Queue(name, { connection: redis, prefix: 'moothall' }));
  }

  /** @returns an empty list while Redis does not answer */
  async count(): Promise<QueueCount[]> {
    const inTime = new AbortController();
    const late = wait(mostWaitMs, [], { signal: inTime.signal });
    const counting = Promise.all(this.queues.map(countsOf));
    return Promise.race([counting, late])
      .catch(() => [])
      .finally(() => inTime.abort());
  }
}

/** How many jobs of a queue are in each state, of all processes. */
export async function countsOf(queue: Queue): Promise<QueueCount> {
  const counts = await queue.getJobCounts(...Object.values(states).flat());
  const jobs = Object.entries(states).map(([state, names]) => [
    state,
    names.reduce((sum, name) => sum + (counts[name] ?? 0), 0),
  ]);
  return { queue: queue.name, jobs: Object.fromEntries(jobs) };
}
