import { Jobs } from '@moothall/jobs';
import { EventPublisher } from '@moothall/messaging';
import { type DatabaseFault, databaseFaults, FailPoint } from './fail-point';
import { Hook } from './hook';
import { Numbers } from './numbers';

export type Fault = DatabaseFault | 'event not taken' | 'job not taken';

export const faultKinds: readonly Fault[] = [
  ...(Object.keys(databaseFaults) as DatabaseFault[]),
  'event not taken',
  'job not taken',
];

/** The result of an operation during a fault. */
export type Outcome = 'reported' | 'stored';

/** All faults below a service, and their results. */
export class Faults {
  private readonly lines: string[] = [];

  private constructor(
    private readonly point: FailPoint,
    private readonly numbers: Numbers,
    private readonly hooks: Record<Exclude<Fault, DatabaseFault>, Hook>,
  ) {}

  /** @param database of the service */
  static async open(mongodbUri: string, database: string): Promise<Faults> {
    const point = await FailPoint.open(mongodbUri);
    return new Faults(point, new Numbers(point.connection, database), {
      'event not taken': new Hook(EventPublisher.prototype, ['publish']),
      'job not taken': new Hook(Jobs.prototype, ['add', 'addAll']),
    });
  }

  /** Makes one call fail, after `skip` successful ones. */
  async arm(fault: Fault, skip: number): Promise<void> {
    await this.numbers.remember();
    if (isOfDatabase(fault)) await this.point.set(fault, skip);
    else this.hooks[fault].arm(skip);
  }

  /** @returns whether it has failed */
  async disarm(fault: Fault): Promise<boolean> {
    return isOfDatabase(fault) ? this.point.clear() : this.hooks[fault].disarm();
  }

  async note(operation: string, fault: Fault, skip: number, outcome: Outcome): Promise<void> {
    this.lines.push(`${operation} ${skip} ${fault}: ${outcome}`);
    if (outcome === 'reported') await this.numbers.giveBack();
  }

  /** All tries so far, one line each: `operation skipped fault: outcome`. */
  get report(): readonly string[] {
    return this.lines;
  }

  async close(): Promise<void> {
    for (const hook of Object.values(this.hooks)) hook.remove();
    await this.point.close();
  }
}

export const isOfDatabase = (fault: Fault): fault is DatabaseFault => fault in databaseFaults;
