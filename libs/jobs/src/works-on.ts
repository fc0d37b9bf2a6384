import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  SetMetadata,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { type Job, UnrecoverableError, Worker } from 'bullmq';
import { type JobQueue, queueName } from './job-queue';
import { connectionOf } from './redis';

const worked = Symbol('worked queue');

/**
 * How often a job may lose the process it runs in. A restart is no fault of the job; BullMQ alone would give a job up
 * at the second one.
 */
const maxStalledCount = 20;

/** A job whose process says nothing for so long is somebody else's to do; it says so twice in that time. */
const lostAfterMs = 15_000;
const lookForLostEveryMs = 5000;

export type JobHandler<T> = (data: T, job: Job<T>) => Promise<void>;

/** Thrown by a job that must not be tried again. */
export { UnrecoverableError };

/**
 * Marks the method of a provider that does a queue's jobs, as `run(data, job)`. It may run twice for one job, and be
 * killed at any line; what it has done so far must do no harm then.
 */
export function WorksOn<T>(queue: JobQueue<T>) {
  return <M extends JobHandler<T>>(target: object, key: string, descriptor: TypedPropertyDescriptor<M>): void => {
    SetMetadata(worked, queue)(target, key, descriptor as TypedPropertyDescriptor<unknown>);
  };
}

/** Starts a BullMQ worker for every {@link WorksOn} method of the application. */
@Injectable()
export class JobRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(JobRunner.name);
  private readonly workers: Worker[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly reflector: Reflector,
    private readonly redisUrl: string,
    private readonly storages: readonly string[],
  ) {}

  onApplicationBootstrap(): void {
    const scanner = new MetadataScanner();
    for (const { instance } of this.discovery.getProviders()) {
      if (!instance) continue;
      for (const method of scanner.getAllMethodNames(Object.getPrototypeOf(instance) ?? {}))
        this.start(instance, method);
    }
  }

  private start(instance: Record<string, unknown>, method: string): void {
    const handler = instance[method];
    if (typeof handler !== 'function') return;
    const queue = this.reflector.get<JobQueue<unknown> | undefined>(worked, handler);
    if (!queue) return;
    const names = queue.perStorage ? this.storages.map((storage) => queueName(queue, storage)) : [queue.name];
    for (const name of names) this.work(name, queue, handler.bind(instance));
  }

  private work(name: string, queue: JobQueue<unknown>, handler: JobHandler<unknown>): void {
    const worker = new Worker(name, (job) => handler(job.data, job), {
      connection: connectionOf(this.redisUrl),
      prefix: 'moothall',
      concurrency: queue.concurrency,
      lockDuration: lostAfterMs,
      stalledInterval: lookForLostEveryMs,
      maxStalledCount,
    });
    worker.on('failed', (job, error) => this.log.warn(`${name} ${job?.id}: ${error.stack}`));
    worker.on('error', (error) => this.log.error(`${name}: ${error}`));
    this.workers.push(worker);
  }

  /** Lets running jobs end, before the database is let go of. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }
}
