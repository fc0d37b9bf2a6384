import { SettingsError } from '@moothall/config';
import { answerSignsOfLife, installLastResort, sweepTemporaryFolders } from '@moothall/processes';
import { Logger } from '@nestjs/common';
import { type RunningService, type ServiceDefinition, startService } from './start-service';

/** Runs services as a process: tells its parent when ready, drains on SIGTERM and SIGINT, exits 1 with one clear line. */
export async function runServices(definitions: ServiceDefinition[]): Promise<void> {
  const logName = definitions.length === 1 ? definitions[0]!.name : 'services';
  const running: RunningService[] = [];
  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await Promise.all(running.map((service) => service.stop()));
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The parent is gone: whoever starts next must find nothing left running.
  process.on('disconnect', stop);
  try {
    await sweepTemporaryFolders();
    running.push(
      ...(await Promise.all(definitions.map((definition) => startService(definition, process.env, logName)))),
    );
    const log = new Logger(logName);
    installLastResort((message) => log.fatal(message));
    answerSignsOfLife();
    process.send?.({ type: 'ready' });
  } catch (error) {
    process.stderr.write(
      `${error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : error}\n`,
    );
    process.exit(1);
  }
}
