import {
  errorTable,
  type InputOf,
  type Operation,
  type OperationContext,
  OperationError,
  type OutputOf,
} from '@moothall/contracts';
import { OperationClient, type ParcelStore } from '@moothall/messaging';
import type { NatsConnection } from 'nats';
import type { Fault, Faults } from './faults';

/*
 * What is acknowledged is stored: every test is one of that when its writes go through this client. It calls an operation
 * with the first command failing that the operation sends, then with the second, and so on, in every way in which commands
 * fail. Either the caller hears of it as of a fault of the server: then nothing is half there, and the same call is good
 * for another try. Or the caller hears of success: then what the test holds against it next is held against what is there.
 */

/** Commands of one operation that are made to fail; none sends as many. */
const mostCommands = 80;

/** What is still to be tried on an operation. */
class Trials {
  private skip = 0;
  private at = 0;
  private readonly past = new Set<Fault>();

  constructor(private readonly faults: readonly Fault[]) {}

  /** @returns undefined when every command has failed in every way */
  next(): { fault: Fault; skip: number } | undefined {
    for (; this.skip < mostCommands; this.skip++, this.at = 0) {
      while (this.at < this.faults.length) {
        const fault = this.faults[this.at++]!;
        if (!this.past.has(fault)) return { fault, skip: this.skip };
      }
      if (this.past.size === this.faults.length) return undefined;
    }
    return undefined;
  }

  /** The operation sends no further command that this could befall. */
  isPast(fault: Fault): void {
    this.past.add(fault);
  }
}

export class FaultyClient extends OperationClient {
  private readonly trials = new Map<string, Trials>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    connection: NatsConnection,
    parcels: ParcelStore,
    private readonly faults: Faults,
    private readonly service: string,
  ) {
    super(connection, parcels);
  }

  /** One after the other: of calls at the same time nobody knows which of them sent the command that fails. */
  override async call<T extends Operation>(
    operation: T,
    input: InputOf<T>,
    context: Partial<OperationContext> = {},
  ): Promise<OutputOf<T>> {
    const call = () => super.call(operation, input, context);
    const answer = this.last.then(() => (this.isTried(operation) ? this.tried(operation, call) : call()));
    this.last = answer.catch(() => undefined);
    return answer;
  }

  private isTried({ service, routes }: Operation): boolean {
    return service === this.service && !routes.every(({ method }) => method === 'GET');
  }

  private async tried<R>({ name }: Operation, call: () => Promise<R>): Promise<R> {
    const trials = this.trials.get(name) ?? new Trials(this.faults.kinds);
    this.trials.set(name, trials);
    for (let trial = trials.next(); trial; trial = trials.next()) {
      const { fault, skip } = trial;
      await this.faults.arm(fault, skip);
      const outcome = await call().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      const isMet = await this.faults.disarm(fault);
      if ('value' in outcome) {
        if (!isMet) trials.isPast(fault);
        else this.faults.kept(name, fault, skip);
        return outcome.value;
      }
      // What is no fault of the server may be what the test expects.
      if (!isMet || !isFaultOfServer(outcome.error)) throw outcome.error;
      this.faults.heard(name, fault, skip);
    }
    return call();
  }
}

function isFaultOfServer(error: unknown): boolean {
  return error instanceof OperationError && (errorTable.get(error.value.code)?.status ?? 500) >= 500;
}
