import { setTimeout as wait } from 'node:timers/promises';
import { errorTable, NoOutput, type Operation, type OperationContext, OperationError } from '@moothall/contracts';
import { type DecodedReply, type LargeMessageStore, OperationClient } from '@moothall/messaging';
import type { NatsConnection } from 'nats';
import type { Fault, Faults } from './faults';
import { type Trial, Trials } from './trials';

/*
 * Acknowledged writes are stored: every test whose writes use this client checks that. The client calls an operation while
 * its first command fails, then its second, and so on, in every way in which commands fail. Either the caller gets an error
 * of the server: then nothing is half-written, and the same call can be repeated. Or the caller gets success: then the
 * next assertions of the test check the stored state.
 */

/** Calls within this time count as concurrent. */
const togetherMs = 10;

type Call = () => Promise<DecodedReply>;
type Outcome = { value: DecodedReply } | { error: unknown };

interface Asked {
  operation: Operation;
  call: Call;
  resolve: (value: DecodedReply) => void;
  reject: (error: unknown) => void;
}

const nothing: DecodedReply = { meta: {}, body: new Uint8Array(0) };

export class FaultyClient extends OperationClient {
  private readonly trials = new Map<string, Trials>();
  private asked: Asked[] = [];
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    connection: NatsConnection,
    largeMessages: LargeMessageStore,
    private readonly faults: Faults,
    private readonly service: string,
  ) {
    super(connection, largeMessages);
  }

  /** Every call passes here, also those that read the raw answer, as browsers do. */
  override async send(operation: Operation, input: unknown, context: OperationContext): Promise<DecodedReply> {
    const call = () => super.send(operation, input, context);
    return operation.service === this.service && !operation.isRead ? this.queue(operation, call) : call();
  }

  /** Whether some command of a called operation has not failed in every way yet. */
  hasUntried({ name }: Operation): boolean {
    return this.trials.get(name)?.hasMore ?? true;
  }

  /** Of concurrent calls it is unknown which one sent the failing command: they get no faults. */
  private queue(operation: Operation, call: Call): Promise<DecodedReply> {
    return new Promise((resolve, reject) => {
      this.asked.push({ operation, call, resolve, reject });
      if (this.asked.length === 1) this.last = this.last.then(() => this.answerAsked());
    });
  }

  private async answerAsked(): Promise<void> {
    await wait(togetherMs);
    const together = this.asked.splice(0);
    const [first] = together;
    if (together.length > 1)
      await Promise.all(together.map(({ call, ...asked }) => call().then(asked.resolve, asked.reject)));
    else await this.tryEveryFault(first!.operation, first!.call).then(first!.resolve, first!.reject);
  }

  private async tryEveryFault(operation: Operation, call: Call): Promise<DecodedReply> {
    const trials = this.trials.get(operation.name) ?? new Trials(operation);
    this.trials.set(operation.name, trials);
    let last: Trial | undefined;
    for (let trial = trials.next(); trial; trial = trials.next()) {
      const { fault, skip } = trial;
      const { isMet, ...outcome } = await this.runTrial(trial, call);
      if ('value' in outcome) {
        if (!isMet) trials.isPast(fault);
        else await this.faults.note(operation.name, fault, skip, 'stored');
        return outcome.value;
      }
      // Another error than that of the fault may be expected by the test.
      if (!isMet || !isFaultOfServer(outcome.error)) return doneBefore(operation, last, outcome.error);
      await this.faults.note(operation.name, fault, skip, 'reported');
      last = trial;
    }
    return call().catch((error: unknown) => doneBefore(operation, last, error));
  }

  private async runTrial({ fault, skip }: Trial, call: Call): Promise<Outcome & { isMet: boolean }> {
    await this.faults.arm(fault, skip);
    const outcome = await call().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    return { ...outcome, isMet: await this.faults.disarm(fault) };
  }
}

/** If a repeated deletion returns 404, the try with the reported failure has deleted the record. @throws other errors */
function doneBefore(operation: Operation, last: Trial | undefined, error: unknown): DecodedReply {
  const isGone = error instanceof OperationError && errorTable.get(error.value.code)?.status === 404;
  if (isDoubtful(last?.fault) && isGone && operation.output instanceof NoOutput) return nothing;
  throw error;
}

const isDoubtful = (fault: Fault | undefined): boolean => fault === 'not replicated';

/**
 * Calls an operation until each of its commands has failed in every way.
 * @param client of a service in a test file that calls `meetFaults()`
 * @returns the results of acknowledged calls
 */
export async function throughFaults<R>(
  client: OperationClient,
  operation: Operation,
  call: (turn: number) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  do done.push(await call(done.length));
  while (client instanceof FaultyClient && client.hasUntried(operation));
  return done;
}

function isFaultOfServer(error: unknown): boolean {
  return error instanceof OperationError && (errorTable.get(error.value.code)?.status ?? 500) >= 500;
}
