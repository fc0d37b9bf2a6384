import { Sweeper, type SweeperOptions, sweepsOf } from '@moothall/background';
import { whileAtWork } from '@moothall/processes';
import { type INestMicroservice, Logger } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { FailedTurns } from './failed-turns';

/** Runs the `@Sweeps` methods of an application periodically, after everything else has started. */
export function startSweeping(
  app: INestMicroservice,
  service: string,
  metrics: Required<Pick<SweeperOptions, 'onTurn' | 'onLeading'>>,
  pace: number,
): Sweeper {
  const failedTurns = new FailedTurns(service, new Logger('sweeps'));
  const connection = app.get<Connection>(getConnectionToken(), { strict: false });
  const sweeper = new Sweeper(connection.collection('leases'), service, {
    pace,
    onLeading: metrics.onLeading,
    onTurn: (sweep, outcome, seconds) => {
      if (outcome === 'done') failedTurns.done(sweep);
      metrics.onTurn(sweep, outcome, seconds);
    },
    onFailure: (sweep, error) => failedTurns.failed(sweep, error),
  });
  sweeper.start(
    findSweeps(app).map((sweep) => ({
      ...sweep,
      run: (signal) => whileAtWork(`${service} ${sweep.name}`, () => sweep.run(signal)),
    })),
  );
  return sweeper;
}

/** @throws Error when two have one name, by which operators know them */
function findSweeps(app: INestMicroservice) {
  const discovery = app.get(DiscoveryService, { strict: false });
  const instances = new Set(discovery.getProviders().flatMap(({ instance }) => (isObject(instance) ? [instance] : [])));
  const sweeps = [...instances].flatMap(sweepsOf);
  const names = sweeps.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice) throw new Error(`two sweeps are named ${twice}`);
  return sweeps;
}

const isObject = (instance: unknown): instance is object => typeof instance === 'object' && instance !== null;
