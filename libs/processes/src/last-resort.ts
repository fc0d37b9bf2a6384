import { describeWork } from './at-work';

/** One error costs its own request and no others; a process with that many in a minute is broken. */
const mostInAMinute = 20;

/**
 * Handles uncaught errors: they are logged with the current work, and the process continues. Running work belongs to
 * one request each, and stored data is in the database. After too many in a minute the process ends and is restarted.
 * @param log must write synchronously
 */
export function installLastResort(log: (message: string) => void): void {
  let since = Date.now();
  let count = 0;
  const hear = (what: string) => (error: unknown) => {
    log(`${what}: ${error instanceof Error ? error.stack : String(error)}\nat work: ${describeWork()}`);
    if (Date.now() - since > 60_000) {
      since = Date.now();
      count = 0;
    }
    count += 1;
    if (count <= mostInAMinute) return;
    log(`${count} in a minute; this process ends`);
    process.exit(1);
  };
  process.on('uncaughtException', hear('uncaught exception'));
  process.on('unhandledRejection', hear('unhandled rejection'));
}
