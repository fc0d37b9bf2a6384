import { type DynamicModule, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, Reflector } from '@nestjs/core';
import { Jobs } from './jobs';
import { JobRunner } from './works-on';

interface JobsOptions {
  redisUrl: string;
  isWorker: boolean;
  /** Those of this process, for services that are routed by storage. */
  storages?: readonly string[];
}

/** Gives a service its queues, and where it runs as a worker, those who do their jobs. */
@Module({})
export class JobsModule {
  static forService({ redisUrl, isWorker, storages = [] }: JobsOptions): DynamicModule {
    const runner = {
      provide: JobRunner,
      inject: [DiscoveryService, Reflector],
      useFactory: (discovery: DiscoveryService, reflector: Reflector) =>
        new JobRunner(discovery, reflector, redisUrl, storages),
    };
    return {
      module: JobsModule,
      global: true,
      imports: [DiscoveryModule],
      providers: [{ provide: Jobs, useValue: new Jobs(redisUrl) }, ...(isWorker ? [runner] : [])],
      exports: [Jobs],
    };
  }
}
