import { Jobs } from '@moothall/jobs';
import { EventPublisher } from '@moothall/messaging';
import { type DatabaseFault, databaseFaults, FailPoint } from './fail-point';
import { Hook } from './hook';

export type Fault = DatabaseFault | 'event not taken' | 'job not taken';

/** Everything that can fail beneath a service, and what came of it. */
export class Faults {
  readonly kinds: readonly Fault[];
  private readonly outcomes: string[] = [];

  private constructor(
    private readonly point: FailPoint,
    private readonly hooks: Record<Exclude<Fault, DatabaseFault>, Hook>,
  ) {
    this.kinds = [...(Object.keys(databaseFaults) as DatabaseFault[]), 'event not taken', 'job not taken'];
  }

  static async open(mongodbUri: string): Promise<Faults> {
    const point = await FailPoint.open(mongodbUri);
    return new Faults(point, {
      'event not taken': new Hook(EventPublisher.prototype, 'publish'),
      'job not taken': new Hook(Jobs.prototype, 'add'),
    });
  }

  /** Lets one thing of the kind fail, after `skip` that do not. */
  async arm(fault: Fault, skip: number): Promise<void> {
    if (isOfDatabase(fault)) await this.point.set(fault, skip);
    else this.hooks[fault].arm(skip);
  }

  /** @returns whether it has failed */
  async disarm(fault: Fault): Promise<boolean> {
    return isOfDatabase(fault) ? this.point.clear() : this.hooks[fault].disarm();
  }

  heard(operation: string, fault: Fault, skip: number): void {
    this.outcomes.push(`${operation} ${skip} ${fault}: heard`);
  }

  kept(operation: string, fault: Fault, skip: number): void {
    this.outcomes.push(`${operation} ${skip} ${fault}: kept`);
  }

  /** What was tried so far, a line each. */
  get report(): readonly string[] {
    return this.outcomes;
  }

  async close(): Promise<void> {
    for (const hook of Object.values(this.hooks)) hook.remove();
    await this.point.close();
  }
}

const isOfDatabase = (fault: Fault): fault is DatabaseFault => fault in databaseFaults;
