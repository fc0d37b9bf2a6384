import { type EventRecord, eventSubject } from '@moothall/contracts';
import { DeliverPolicy, type JsMsg, type NatsConnection } from 'nats';
import { concerns, DeadLetters, replayHeaders } from './dead-letters';
import { eventStream } from './event-stream';
import { LargeEvents } from './large-events';

/** A published event, and the consumers that have not handled it yet, or failed. */
export interface UnfollowedEvent {
  event: EventRecord;
  durables: string[];
}

/** The position of a consumer: it has handled all lower numbers. */
export interface Position {
  durable: string;
  /** Its subject filter; may end with `>`. */
  filter: string;
  sequence: number;
}

/**
 * Events that only NATS has at the time of a database copy: an event leaves its outbox when JetStream has it, and its
 * effects are stored later. Events in an outbox of the copy are published by its periodic job.
 */
export class UnprocessedEvents {
  private readonly events: LargeEvents;

  constructor(private readonly connection: NatsConnection) {
    this.events = new LargeEvents(connection);
  }

  /** Read before the snapshot: the effects of all earlier events are in it. */
  async positions(): Promise<Position[]> {
    const manager = await this.connection.jetstreamManager();
    const { last_seq } = (await manager.streams.info(eventStream)).state;
    const positions: Position[] = [];
    for await (const { name, config, ack_floor, num_pending, num_ack_pending } of manager.consumers.list(eventStream)) {
      // A consumer without pending events may have received its last one long ago.
      const sequence = num_pending + num_ack_pending === 0 ? last_seq : ack_floor.stream_seq;
      positions.push({ durable: name, filter: config.filter_subject ?? '>', sequence });
    }
    return positions;
  }

  /** In the order in which they were sent. @param until the moment of the copy: later events are not in it */
  async *list(positions: readonly Position[], until: Date): AsyncGenerator<UnfollowedEvent> {
    if (positions.length > 0) yield* this.sent(positions, until);
    for await (const { event, durable, setAsideAt } of new DeadLetters(this.connection).list()) {
      if (event && setAsideAt <= until) yield { event, durables: [durable] };
    }
  }

  private async *sent(positions: readonly Position[], until: Date): AsyncGenerator<UnfollowedEvent> {
    const first = Math.min(...positions.map(({ sequence }) => sequence)) + 1;
    const from = { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: first };
    const consumer = await this.connection.jetstream().consumers.get(eventStream, from);
    let left = (await consumer.info(true)).num_pending;
    if (left === 0) return;
    for await (const message of await consumer.consume({ max_messages: 100 })) {
      // NATS counts nanoseconds, a Date milliseconds.
      if (Math.floor(message.info.timestampNanos / 1e6) > until.getTime()) return;
      const durables = positions.filter((position) => isBefore(position, message)).map(({ durable }) => durable);
      // An event whose body is no longer stored could not be handled either.
      const event = durables.length > 0 ? await this.events.read(message).catch(() => undefined) : undefined;
      if (event) yield { event, durables };
      left -= 1;
      if (left === 0) return;
    }
  }

  /** Sends it again to consumers that had not handled it. Resolves when JetStream has stored it. */
  async send({ event, durables }: UnfollowedEvent): Promise<void> {
    const { data, headers } = await this.events.pack(event);
    for (const durable of durables) {
      await this.connection.jetstream().publish(eventSubject(event.name), data, {
        headers: replayHeaders(durable, headers),
        msgID: `${event.id} for ${durable}`,
      });
    }
  }
}

function isBefore({ durable, filter, sequence }: Position, message: JsMsg): boolean {
  const isMeant = filter.endsWith('>') ? message.subject.startsWith(filter.slice(0, -1)) : message.subject === filter;
  return isMeant && message.seq > sequence && concerns(message, durable);
}
