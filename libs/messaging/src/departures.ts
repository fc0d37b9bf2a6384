/** The time in which a process starts on a busy machine, or another one takes over an exclusive resource. */
const backWithinMs = 20_000;

/**
 * Services with a replica that recently announced its stop. A request without responders to such a service waits: no
 * replica has received it, and a successor will start. A killed replica announces nothing, and then nothing waits.
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

  /** From now on no request waits. */
  hurry(): void {
    this.isPatient = false;
  }
}
