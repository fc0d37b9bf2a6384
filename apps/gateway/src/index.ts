import { SettingsError } from '@moothall/config';
import { unattended } from '@moothall/logging';
import { emptyEventCaches } from '@moothall/messaging';
import {
  answerSignsOfLife,
  installLastResort,
  releaseMemoryWhenIdle,
  removeAbandonedFolders,
  takeOrders,
} from '@moothall/processes';
import { Logger } from '@nestjs/common';
import { startGateway } from './start-gateway';

export { gatewaySettings } from './settings/settings';
export { type RunningGateway, startGateway } from './start-gateway';

/**
 * Runs the gateway as a process: notifies its parent when ready, drains on SIGTERM and SIGINT, exits 1 with one clear
 * line.
 */
export async function runGateway(): Promise<void> {
  try {
    await removeAbandonedFolders();
    const gateway = await startGateway();
    const stop = () =>
      unattended(
        'the stop',
        gateway.stop().finally(() => process.exit(0)),
      );
    for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(signal, stop);
    const log = new Logger('gateway');
    installLastResort((message) => log.fatal(message));
    answerSignsOfLife();
    takeOrders(process, {
      hold: () => gateway.hold(),
      release: async () => gateway.release(),
      'release as new': async () => {
        emptyEventCaches();
        gateway.release();
      },
    });
    process.send?.({ type: 'ready', port: gateway.port, metricsPort: gateway.metricsPort });
    releaseMemoryWhenIdle();
  } catch (error) {
    const words = error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${words}\n`);
    process.exit(1);
  }
}
