import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { countsOf } from './queue-counts';
import { readWorkerName, type WorkerName, workersOf } from './worker-name';

/** How long a queue is. */
export interface QueueLength {
  queue: string;
  /** Jobs that wait for a free worker. */
  backlog: number;
  /** Seconds since the oldest of them could have started. */
  latencySeconds: number;
}

/** A process that works on queues now. */
export interface WorkingProcess extends WorkerName {
  queues: string[];
  /** Running jobs. */
  busy: number;
}

/** Counts of finished and current jobs, of all queues. */
export interface JobCounts {
  processed: number;
  failed: number;
  enqueued: number;
  dead: number;
}

/** Limit of jobs of a queue in one process, and of processes of a queue. */
const mostActive = 1_000;

export async function lengthOf(queue: Queue): Promise<QueueLength> {
  const { jobs } = await countsOf(queue);
  // One of each state: in fair queues the next job, which need not be the oldest.
  const next = jobs.waiting === 0 ? [] : await queue.getJobs(['wait', 'prioritized'], 0, 0, true);
  const ages = next.filter(Boolean).map(({ timestamp, delay = 0 }) => Date.now() - timestamp - delay);
  return { queue: queue.name, backlog: jobs.waiting, latencySeconds: Math.round(Math.max(0, ...ages) / 1000) };
}

/** Counts of finished tries, and the current state of the queue. */
export async function jobCountsOf(queue: Queue): Promise<JobCounts> {
  const [{ jobs }, done, failed] = await Promise.all([
    countsOf(queue),
    queue.getMetrics('completed', 0, 0),
    queue.getMetrics('failed', 0, 0),
  ]);
  return {
    processed: done.meta.count + failed.meta.count,
    failed: failed.meta.count,
    enqueued: jobs.waiting,
    dead: jobs.set_aside,
  };
}

/** Processes with a Redis connection of a worker, of all replicas, from one list of connections. */
export async function workingProcesses(redis: Redis, open: (queue: string) => Queue): Promise<WorkingProcess[]> {
  const processes = new Map<string, WorkingProcess>();
  const busy = new Map<string, number>();
  const workers = workersOf(String(await redis.client('LIST')));
  const queues = [...new Set(workers.map(({ queue }) => queue))];
  await Promise.all(queues.map((queue) => countBusy(open(queue), busy)));
  for (const { queue, name } of workers) {
    const worker = readWorkerName(name);
    if (!worker) continue;
    const key = `${worker.hostname} ${worker.pid} ${worker.startedAt.getTime()}`;
    const known = processes.get(key) ?? { ...worker, concurrency: 0, queues: [], busy: 0 };
    known.queues.push(queue);
    known.concurrency += worker.concurrency;
    known.busy += busy.get(`${queue} ${name}`) ?? 0;
    processes.set(key, known);
  }
  return [...processes.values()];
}

async function countBusy(queue: Queue, busy: Map<string, number>): Promise<void> {
  for (const job of await queue.getActive(0, mostActive - 1)) {
    const key = `${queue.name} ${job?.processedBy}`;
    busy.set(key, (busy.get(key) ?? 0) + 1);
  }
}
