import { type EventContract, type EventData, type EventRecord, eventSubject } from '@moothall/contracts';
import {
  AckPolicy,
  DeliverPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  type NatsConnection,
  nanos,
  RetentionPolicy,
  StorageType,
} from 'nats';
import { hear } from './hear';
import { Together } from './together';

const stream = 'EVENTS';
const keptForDays = 7;
const maxDelaySeconds = 60;
const day = 24 * 60 * 60 * 1000;

/** Where the events of all services go, so that each service can follow at its own pace and after a stop. */
export async function ensureEventStream(manager: JetStreamManager): Promise<void> {
  const subjects = [eventSubject('>')];
  await manager.streams.add({
    name: stream,
    subjects,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    max_age: nanos(keptForDays * day),
    duplicate_window: nanos(2 * 60 * 1000),
  });
}

/** Sends events that are already stored with the change they tell of. */
export class EventPublisher {
  private readonly jetstream: JetStreamClient;
  private readonly publications = new Together();

  constructor(connection: NatsConnection) {
    this.jetstream = connection.jetstream();
  }

  /** Resolves when JetStream has it. A repeat within two minutes is dropped there, a later one by its consumers. */
  async publish(event: EventRecord): Promise<void> {
    await new Promise((resolve, reject) => this.publications.add(() => this.send(event).then(resolve, reject), reject));
  }

  private send(event: EventRecord): Promise<unknown> {
    return this.jetstream.publish(eventSubject(event.name), JSON.stringify(event), { msgID: event.id });
  }
}

export type EventHandler<E extends EventContract> = (event: EventRecord<EventData<E>>) => Promise<void>;

/** Follows events durably: each is handled at least once, in spite of restarts and of other replicas. */
export class EventConsumer {
  private readonly stops: (() => Promise<unknown>)[] = [];
  private readonly running = new Set<Promise<void>>();

  constructor(private readonly connection: NatsConnection) {}

  /** @param durable name of the position in the stream; replicas of a service share it */
  async follow<E extends EventContract>(contract: E, durable: string, handler: EventHandler<E>): Promise<void> {
    const manager = await this.connection.jetstreamManager();
    await manager.consumers.add(stream, {
      durable_name: durable,
      filter_subject: eventSubject(contract.name),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(60_000),
    });
    const consumer = await this.connection.jetstream().consumers.get(stream, durable);
    const messages = await consumer.consume({ max_messages: 20, callback: (message) => this.run(message, handler) });
    this.stops.push(() => messages.close());
  }

  private run<T>(message: JsMsg, handler: (event: EventRecord<T>) => Promise<void>): void {
    const work = handle(message, handler).finally(() => this.running.delete(work));
    this.running.add(work);
  }

  /** Takes no more events, and waits for what has begun. */
  async close(): Promise<void> {
    await Promise.all(this.stops.map((stop) => stop()));
    await Promise.all(this.running);
  }
}

async function handle<T>(message: JsMsg, handler: (event: EventRecord<T>) => Promise<void>): Promise<void> {
  try {
    await handler(message.json<EventRecord<T>>());
    message.ack();
  } catch {
    // Redelivered with growing pauses: what the handler needs may be down for a while.
    message.nak(Math.min(2 ** message.info.redeliveryCount, maxDelaySeconds) * 1000);
  }
}

/**
 * Hears events as they pass, without a position: for caches, which start empty anyway.
 * @param names of events, or with a `>` for the rest of a name, as `projects.>`; what nobody asks for is not sent here,
 *   since every event that is heard costs its parsing
 * @returns stops it
 */
export function listen(
  connection: NatsConnection,
  names: readonly string[],
  take: (event: EventRecord) => void,
): () => void {
  const subscriptions = names.map((name) =>
    hear(connection, eventSubject(name), (message) => take(message.json<EventRecord>())),
  );
  return () => {
    for (const subscription of subscriptions) subscription.unsubscribe();
  };
}
