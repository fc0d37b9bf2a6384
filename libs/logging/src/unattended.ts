/** Runs background work that nobody awaits: its failure is logged, and not an uncaught error. */
export function unattended(what: string, work: Promise<unknown>): void {
  work.catch(async (error: unknown) => {
    // Nest is only loaded for a message: the supervisor of a server needs it for nothing else.
    const { Logger } = await import('@nestjs/common');
    new Logger('unattended').error(`${what}: ${error instanceof Error ? error.stack : String(error)}`);
  });
}
