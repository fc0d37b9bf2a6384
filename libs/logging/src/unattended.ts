import { Logger } from '@nestjs/common';

const log = new Logger('unattended');

/** Work that nobody waits for ends here: what it fails at is logged, and is nobody's uncaught error. */
export function unattended(what: string, work: Promise<unknown>): void {
  work.catch((error: unknown) => log.error(`${what}: ${error instanceof Error ? error.stack : String(error)}`));
}
