import { Works } from '@moothall/tracing';
import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, Reflector } from '@nestjs/core';
import { AllQueues } from './all-queues';
import { Jobs } from './jobs';
import { type JobOutcome, JobRunner } from './works-on';

export interface JobsOptions {
  redisUrl: string;
  isWorker: boolean;
  /** Storages of this process, for services that are routed by storage. */
  storages?: readonly string[] | undefined;
  /** Less than 1 for shorter retry and recovery times. */
  pace?: number | undefined;
  /** A job whose process is silent for this time is run by another process. */
  lostAfterMs?: number | undefined;
  /** Called after every run of a job in this process; for metrics. */
  onEnded?: ((queue: string, outcome: JobOutcome, seconds: number) => void) | undefined;
  /** Traces jobs; none by default. */
  works?: Works | undefined;
}

/** Long enough at any pace that a busy process does not count as lost. */
const lostAfterMsAt = (pace: number): number => Math.max(3_000, 15_000 * pace);

/** Provides the queues of a service, and runs their jobs if it is a worker. */
@Module({})
export class JobsModule {
  static forService({
    redisUrl,
    isWorker,
    storages = [],
    pace = 1,
    lostAfterMs = lostAfterMsAt(pace),
    onEnded = () => undefined,
    works = new Works(),
  }: JobsOptions): DynamicModule {
    const runner = {
      provide: JobRunner,
      inject: [DiscoveryService, Reflector],
      useFactory: (discovery: DiscoveryService, reflector: Reflector) =>
        new JobRunner(discovery, reflector, { redisUrl, storages, lostAfterMs, pace, onEnded, works }),
    };
    return {
      module: JobsModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [
        { provide: Jobs, useValue: new Jobs(redisUrl, pace) },
        { provide: AllQueues, useValue: new AllQueues(redisUrl) },
        ...(isWorker ? [runner] : []),
      ],
      exports: [Jobs, AllQueues],
    };
  }
}
