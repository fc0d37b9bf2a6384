import { SettingsError } from '@moothall/config';
import { startGateway } from './start-gateway';

export { gatewaySettings, rateLimitSettings } from './settings';
export { type RunningGateway, startGateway } from './start-gateway';

/** Runs the gateway as a process: tells its parent when ready, drains on SIGTERM and SIGINT, exits 1 with one clear line. */
export async function runGateway(): Promise<void> {
  try {
    const gateway = await startGateway();
    const stop = () => void gateway.stop().then(() => process.exit(0));
    for (const signal of ['SIGTERM', 'SIGINT', 'disconnect']) process.once(signal, stop);
    process.send?.({ type: 'ready', port: gateway.port });
  } catch (error) {
    const words = error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${words}\n`);
    process.exit(1);
  }
}
