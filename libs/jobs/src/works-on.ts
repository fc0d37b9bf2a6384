import { whileAtWork } from '@moothall/processes';
import type { Works } from '@moothall/tracing';
import { type BeforeApplicationShutdown, Injectable, Logger, SetMetadata } from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { DelayedError, type Job, MetricsTime, UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { type JobQueue, queueName } from './job-queue';
import { Losses, queuesKey } from './losses';
import { originOf } from './origin';
import { type QueueCount, QueueCounts } from './queue-counts';
import { connectionOf } from './redis';
import { RunningShares } from './turns';
import { workerName } from './worker-name';

const worked = Symbol('worked queue');

/** Time, at the usual pace, after which a job whose caller had used its share is checked again. */
const lookAgainMs = 2000;

/** Poll interval of an empty queue; new jobs are delivered immediately. */
const waitSeconds = 30;

/** BullMQ would fail a job that ran while another one crashed the process; {@link Losses} finds that one. */
const maxStalledCount = 1_000_000;

/** `retried` and `given_up` have failed. */
export type JobOutcome = 'done' | 'retried' | 'given_up';

interface RunnerOptions {
  redisUrl: string;
  storages: readonly string[];
  /** Called after every run. */
  onEnded: (queue: string, outcome: JobOutcome, seconds: number) => void;
  /** Processes renew the locks of their jobs twice in that time, and look twice for expired ones. */
  lostAfterMs: number;
  pace: number;
  works: Works;
}

export type JobHandler<T> = (data: T, job: Job<T>) => Promise<void>;

/** Thrown by a job that must not be retried. */
export { UnrecoverableError };

/**
 * Marks the method of a provider that runs the jobs of a queue, as `run(data, job)`. It may run twice for one job,
 * and be killed at any line, so it must be idempotent.
 */
export function WorksOn<T>(queue: JobQueue<T>) {
  return <M extends JobHandler<T>>(target: object, key: string, descriptor: TypedPropertyDescriptor<M>): void => {
    SetMetadata(worked, queue)(target, key, descriptor as TypedPropertyDescriptor<unknown>);
  };
}

/** Starts a BullMQ worker for every {@link WorksOn} method of the application. */
@Injectable()
export class JobRunner implements BeforeApplicationShutdown {
  private readonly log = new Logger(JobRunner.name);
  private readonly workers: { worker: Worker; losses: Losses }[] = [];
  private readonly redis: Redis;
  private counts: QueueCounts | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly options: RunnerOptions,
  ) {
    this.redis = new Redis({ ...connectionOf(options.redisUrl), lazyConnect: true });
    this.redis.on('error', (error) => this.log.warn(`jobs wait for Redis: ${error.message}`));
  }

  /** Called after the service answers its operations, since jobs call some, also of their own service. */
  async start(): Promise<void> {
    const scanner = new MetadataScanner();
    for (const { instance } of this.discovery.getProviders()) {
      if (!instance) continue;
      for (const method of scanner.getAllMethodNames(Object.getPrototypeOf(instance) ?? {}))
        this.startFor(instance, method);
    }
    await this.reportQueues();
  }

  private async reportQueues(): Promise<void> {
    if (this.workers.length > 0)
      await this.redis.sadd(
        queuesKey,
        this.workers.map(({ worker }) => worker.name),
      );
  }

  /** The number of jobs in the queues of this process, of all processes; empty while Redis is unavailable. */
  async count(): Promise<QueueCount[]> {
    this.counts ??= new QueueCounts(
      this.workers.map(({ worker }) => worker.name),
      this.redis,
    );
    return this.counts.count();
  }

  /** Starts no job until it is released. Resolves when running jobs have ended. */
  async hold(): Promise<void> {
    await Promise.all(this.workers.map(({ worker }) => worker.pause()));
  }

  /** Also if Redis was emptied meanwhile. */
  async release(): Promise<void> {
    await this.reportQueues();
    await Promise.all(this.workers.map(({ worker }) => worker.resume()));
  }

  private startFor(instance: Record<string, unknown>, method: string): void {
    const handler = instance[method];
    if (typeof handler !== 'function') return;
    const queue = this.reflector.get<JobQueue<unknown> | undefined>(worked, handler);
    if (!queue) return;
    const names = queue.perStorage ? this.options.storages.map((storage) => queueName(queue, storage)) : [queue.name];
    for (const name of names) this.work(name, queue, handler.bind(instance));
  }

  private work(name: string, queue: JobQueue<unknown>, handler: JobHandler<unknown>): void {
    const losses = new Losses(name, this.redis);
    const shares = new RunningShares(Math.ceil(queue.concurrency / 2));
    const { works, pace } = this.options;
    const run = (job: Job) =>
      losses.guard(job, () =>
        works.do('job', name, originOf(job), () => whileAtWork(`${name} ${job.id}`, () => handler(job.data, job))),
      );
    const worker = new Worker(
      name,
      async (job, token) => {
        const who = queue.sharedBy?.(job.data);
        if (who === undefined) return run(job);
        if (!shares.take(who)) {
          await job.moveToDelayed(Date.now() + lookAgainMs * pace, token);
          throw new DelayedError();
        }
        await run(job).finally(() => shares.give(who));
      },
      {
        connection: connectionOf(this.options.redisUrl),
        prefix: 'moothall',
        concurrency: queue.concurrency,
        name: workerName(queue.concurrency),
        // Finished jobs are counted, for administrators.
        metrics: { maxDataPoints: MetricsTime.ONE_HOUR },
        lockDuration: this.options.lostAfterMs,
        stalledInterval: this.options.lostAfterMs / 2,
        drainDelay: waitSeconds,
        maxStalledCount,
      },
    );
    worker.on('completed', (job) => this.tell(name, job, 'done'));
    worker.on('failed', (job, error) => {
      if (job) this.tell(name, job, job.finishedOn === undefined ? 'retried' : 'given_up');
      works.as(job ? originOf(job) : {}, () => this.log.warn(`${name} ${job?.id}: ${error.stack}`));
    });
    worker.on('error', (error) => this.log.error(`${name}: ${error}`));
    this.workers.push({ worker, losses });
  }

  private tell(queue: string, { processedOn, finishedOn }: Job, outcome: JobOutcome): void {
    const ended = finishedOn ?? Date.now();
    this.options.onEnded(queue, outcome, Math.max(0, ended - (processedOn ?? ended)) / 1000);
  }

  /** Waits for running jobs, before the database connection is closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map(({ losses }) => losses.excuseRunning()));
    await Promise.all(this.workers.map(({ worker }) => worker.close()));
    this.redis.disconnect();
  }
}
