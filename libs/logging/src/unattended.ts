/** Work that nobody waits for ends here: what it fails at is logged, and is nobody's uncaught error. */
export function unattended(what: string, work: Promise<unknown>): void {
  work.catch(async (error: unknown) => {
    // Nest is loaded when there is something to say: the supervisor of a server has no other use for it.
    const { Logger } = await import('@nestjs/common');
    new Logger('unattended').error(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
  });
}
