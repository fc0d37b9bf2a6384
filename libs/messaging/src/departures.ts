/** As long as a process takes to start on a busy machine, or another to take over what only one can hold. */
const backWithinMs = 20_000;

/**
 * Services of which a replica has said goodbye lately. A request that finds nobody there waits: nobody has begun with it,
 * and somebody is about to come. Where a replica was killed nobody said goodbye, and nothing waits.
 */
export class Departures {
  private readonly lastAt = new Map<string, number>();
  private isPatient = true;

  note(service: string): void {
    this.lastAt.set(service, performance.now());
  }

  isExpectedBack(service: string): boolean {
    const at = this.lastAt.get(service);
    return this.isPatient && at !== undefined && performance.now() - at < backWithinMs;
  }

  /** From now on nobody is waited for. */
  hurry(): void {
    this.isPatient = false;
  }
}
