import { readEnv, SettingsError } from '@moothall/config';
import { emptyEventCaches } from '@moothall/messaging';
import {
  answerSignsOfLife,
  installLastResort,
  releaseMemoryWhenIdle,
  removeAbandonedFolders,
  takeOrders,
} from '@moothall/processes';
import { Logger } from '@nestjs/common';
import { metricsPort } from './metrics';
import { serviceSettings } from './settings';
import { type RunningService, type ServiceDefinition, startService } from './start-service';

const metricsSettings = { METRICS_PORT: serviceSettings.METRICS_PORT, METRICS_HOST: serviceSettings.METRICS_HOST };

/** Runs services as a process: notifies its parent when ready, drains on SIGTERM and SIGINT, exits 1 with one clear line. */
export async function runServices(definitions: ServiceDefinition[]): Promise<void> {
  const [first, ...others] = definitions;
  const logName = first && others.length === 0 ? first.name : 'services';
  const running = new Map<ServiceDefinition, RunningService>();
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await stopAll(running);
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The parent has ended: nothing may run at the next start.
  process.on('disconnect', stop);
  answerSignsOfLife();
  const all = async (each: (service: RunningService) => Promise<void>) => {
    await Promise.all([...running.values()].map(each));
  };
  takeOrders(process, {
    hold: () => all((service) => service.hold()),
    release: () => all((service) => service.release(false)),
    'release as new': () => {
      emptyEventCaches();
      return all((service) => service.release(true));
    },
  });
  const standingBy = new Set<ServiceDefinition>();
  const reportStandBy = () => {
    if (standingBy.size > 0 && standingBy.size + running.size === definitions.length)
      process.send?.({ type: 'standing-by' });
  };
  const start = async (definition: ServiceDefinition) => {
    const onStandBy = () => {
      standingBy.add(definition);
      reportStandBy();
    };
    const service = await startService(definition, process.env, logName, onStandBy);
    standingBy.delete(definition);
    running.set(definition, service);
    reportStandBy();
  };
  try {
    await removeAbandonedFolders();
    const { METRICS_PORT, METRICS_HOST } = readEnv(metricsSettings);
    const isReady = () => !isStopping && running.size + standingBy.size === definitions.length;
    const port = await metricsPort(isReady).listen(METRICS_PORT, METRICS_HOST);
    await Promise.all(definitions.map(start));
    const log = new Logger(logName);
    installLastResort((message) => log.fatal(message));
    process.send?.({ type: 'ready', metricsPort: port });
    releaseMemoryWhenIdle();
  } catch (error) {
    process.stderr.write(
      `${error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : error}\n`,
    );
    process.exit(1);
  }
}

/** Those with storages last: no other process answers for these, and work of the others may need them. */
async function stopAll(running: ReadonlyMap<ServiceDefinition, RunningService>): Promise<void> {
  for (const holds of [false, true]) {
    const those = [...running].filter(([{ storages }]) => (storages !== undefined) === holds);
    await Promise.all(those.map(([, service]) => service.stop()));
  }
}
