import {
  type EventContract,
  type EventData,
  type EventRecord,
  type InputOf,
  type Operation,
  OperationError,
  type OutputOf,
  subjectOf,
} from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { startTestInfrastructure } from '@moothall/infrastructure';
import { connectNats, EventPublisher, ensureEventStream, listen, OperationClient } from '@moothall/messaging';
import { type RunningService, type ServiceDefinition, startService } from '@moothall/service';
import { headers, type NatsConnection } from 'nats';

const waitMs = 10_000;

/** The real service on NATS, Redis and MongoDB protocol of its own, with the neighbours that the test answers for. */
export interface ServiceUnderTest {
  client: OperationClient;
  running: RunningService;
  /** The environment the service was started with; for starting it again. */
  env: Record<string, string>;
  /** Answers an operation of a neighbour, built from its contract. The latest answer given counts. */
  respond<T extends Operation>(operation: T, answer: (input: InputOf<T>) => OutputOf<T> | OperationError): void;
  /** Lets a neighbour's event happen. */
  emit<E extends EventContract>(contract: E, data: EventData<E>): Promise<void>;
  /** Events that left the service so far, oldest first. */
  events<E extends EventContract>(contract: E): EventRecord<EventData<E>>[];
  stop(): Promise<void>;
}

export async function startServiceUnderTest(
  definition: ServiceDefinition,
  settings: Record<string, string> = {},
): Promise<ServiceUnderTest> {
  const infrastructure = await startTestInfrastructure();
  const env = {
    MONGODB_URI: infrastructure.mongodbUri,
    NATS_URL: infrastructure.natsUrl,
    REDIS_URL: infrastructure.redisUrl,
    MONGODB_PREFIX: `test_${process.pid}_${Date.now()}`,
    EXTERNAL_URL: 'http://moothall.test',
    SECRET_KEY: 'a secret key of the tests, long enough',
    TICKET_KEY: 'a ticket key of the tests, long enough',
    LOG_LEVEL: 'error',
    CHECK_OUTPUT: 'true',
    ...settings,
  };
  const connection = await connectNats(infrastructure.natsUrl, 'test');
  await ensureEventStream(await connection.jetstreamManager());
  const heard: EventRecord[] = [];
  listen(connection, (event) => heard.push(event));
  const neighbours = new Neighbours(connection);
  const running = await startService(definition, env);
  return {
    client: new OperationClient(connection),
    running,
    env,
    respond: (operation, answer) => neighbours.respond(operation, answer as (input: unknown) => unknown),
    emit: (contract, data) => new EventPublisher(connection).publish(newEvent(contract, data)),
    events: (contract) => heard.filter((event) => event.name === contract.name) as never,
    async stop() {
      await running.stop();
      await connection.close();
      await infrastructure.stop();
    },
  };
}

class Neighbours {
  private readonly answers = new Map<string, (input: unknown) => unknown>();

  constructor(private readonly connection: NatsConnection) {}

  respond(operation: Operation, answer: (input: unknown) => unknown): void {
    const subject = operation.routedByStorage
      ? subjectOf(operation, { requestId: '', project: anyStorage })
      : operation.name;
    const isNew = !this.answers.has(subject);
    this.answers.set(subject, answer);
    if (!isNew) return;
    this.connection.subscribe(subject, {
      callback: (_, message) => {
        const result = this.answers.get(subject)?.(message.json());
        const head = headers();
        if (result instanceof OperationError) head.set('error', JSON.stringify(result.value));
        const { items, ...page } = (result ?? {}) as { items?: unknown };
        if (Array.isArray(items)) head.set('reply', JSON.stringify({ page }));
        message.respond(new TextEncoder().encode(JSON.stringify(Array.isArray(items) ? items : (result ?? null))), {
          headers: head,
        });
      },
    });
  }
}

const anyStorage = { storage: 'default' } as never;

/** Resolves once `probe` gives something true; asks again after each turn, and fails after ten seconds. */
export async function eventually<T>(probe: () => Promise<T> | T, what = 'the state'): Promise<NonNullable<T>> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const found = await probe();
    if (found) return found as NonNullable<T>;
    if (Date.now() > deadline) throw new Error(`${what} did not come about within ${waitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
