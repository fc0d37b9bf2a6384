import { PeriodicJobRunner, type PeriodicJobRunnerOptions, periodicJobsOf } from '@moothall/background';
import { whileAtWork } from '@moothall/processes';
import { type INestMicroservice, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { FailedTurns } from './failed-turns';

/** Runs the `@PeriodicJob` methods of an application periodically, after everything else has started. */
export function startPeriodicJobs(
  app: INestMicroservice,
  service: string,
  metrics: Required<Pick<PeriodicJobRunnerOptions, 'onTurn' | 'onLeading'>>,
  pace: number,
): PeriodicJobRunner {
  const failedTurns = new FailedTurns(service, new Logger('periodic jobs'));
  const connection = app.get<Connection>(getConnectionToken(), { strict: false });
  const periodicJobs = new PeriodicJobRunner(connection.collection('leases'), service, {
    pace,
    onLeading: metrics.onLeading,
    onTurn: (job, outcome, seconds) => {
      if (outcome === 'done') failedTurns.done(job);
      metrics.onTurn(job, outcome, seconds);
    },
    onFailure: (job, error) => failedTurns.failed(job, error),
  });
  periodicJobs.start(
    findPeriodicJobs(app).map((job) => ({
      ...job,
      run: (signal) => whileAtWork(`${service} ${job.name}`, () => job.run(signal)),
    })),
  );
  return periodicJobs;
}

/** @throws Error if two have the same name, which identifies them for operators */
function findPeriodicJobs(app: INestMicroservice) {
  const discovery = app.get(DiscoveryService, { strict: false });
  const instances = new Set(discovery.getProviders().flatMap(({ instance }) => (isObject(instance) ? [instance] : [])));
  const jobs = [...instances].flatMap(periodicJobsOf);
  const names = jobs.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new Error(`two periodic jobs are named ${twice}`);
  return jobs;
}

const isObject = (instance: unknown): instance is object => typeof instance === 'object' && instance !== null;
