import type { EventRecord } from '@moothall/contracts';
import { headers, type JsMsg, type MsgHdrs, type NatsConnection, type StoredMsg } from 'nats';
import { deadLetterStream, deadLetterSubject } from './event-stream';
import { LargeEvents } from './large-events';

/*
 * An event that a handler could not process, as it was published, with headers that name the consumer and the reason.
 * It is replayed to that consumer only, since all others have received it.
 */
const durableHeader = 'dead-letter-of';
const reasonHeader = 'dead-letter-reason';
const subjectHeader = 'dead-letter-subject';
const replayHeader = 'replay-for';
const longestReason = 2_000;

export interface DeadLetter {
  /** Names it in the stream. */
  sequence: number;
  /** The position, and with it the handler, that it was for. */
  durable: string;
  reason: string;
  setAsideAt: Date;
  /** Absent if it is no event, or its body is no longer stored. */
  event?: EventRecord | undefined;
}

/** Whether an event was sent again, for a consumer that failed. */
export const isReplay = ({ headers }: { headers?: MsgHdrs | undefined }): boolean =>
  headers?.has(replayHeader) ?? false;

/** Whether an event is for a consumer: all new ones, and those sent again for it. */
export const concerns = ({ headers }: { headers?: MsgHdrs | undefined }, durable: string): boolean =>
  !headers?.has(replayHeader) || headers.get(replayHeader) === durable;

/** @returns headers of an event that is replayed to one consumer, beside its own */
export function replayHeaders(durable: string, others?: MsgHdrs): MsgHdrs {
  const head = copyOf(others);
  head.set(replayHeader, durable);
  return head;
}

/** Events that services could not handle, stored for an operator, who can list, discard and replay them. */
export class DeadLetters {
  private readonly events: LargeEvents;

  constructor(private readonly connection: NatsConnection) {
    this.events = new LargeEvents(connection);
  }

  /** Resolves when it is stored; then the event may be acknowledged. */
  async add(message: JsMsg, durable: string, reason: unknown): Promise<void> {
    const head = copyOf(message.headers);
    head.set(durableHeader, durable);
    head.set(subjectHeader, message.subject);
    head.set(reasonHeader, JSON.stringify(textOf(reason).slice(0, longestReason)));
    await this.connection.jetstream().publish(deadLetterSubject(durable), message.data, {
      headers: head,
      msgID: `${durable} ${message.seq}`,
    });
  }

  /** Oldest first. */
  async *list(): AsyncGenerator<DeadLetter> {
    const consumer = await this.connection.jetstream().consumers.get(deadLetterStream);
    const { num_pending } = await consumer.info(true);
    if (num_pending === 0) return;
    let left = num_pending;
    for await (const message of await consumer.consume({ max_messages: 100 })) {
      yield this.letterOf(message.seq, message);
      left -= 1;
      if (left === 0) return;
    }
  }

  private async letterOf(sequence: number, message: JsMsg): Promise<DeadLetter> {
    const head = message.headers ?? headers();
    return {
      sequence,
      durable: head.get(durableHeader),
      reason: reasonIn(head),
      setAsideAt: new Date(message.info.timestampNanos / 1e6),
      event: await this.events.read(message).catch(() => undefined),
    };
  }

  /** Replays it to its handler, and removes it from the list. @throws if the number does not exist */
  async replay(sequence: number): Promise<void> {
    const letter = await this.stored(sequence);
    const head = copyOf(letter.header);
    const subject = head.get(subjectHeader);
    const durable = head.get(durableHeader);
    for (const name of [subjectHeader, durableHeader, reasonHeader]) head.delete(name);
    await this.connection.jetstream().publish(subject, letter.data, {
      headers: replayHeaders(durable, head),
      msgID: `replay ${sequence}`,
    });
    await this.discard(sequence);
  }

  async discard(sequence: number): Promise<void> {
    const manager = await this.connection.jetstreamManager();
    await manager.streams.deleteMessage(deadLetterStream, sequence);
  }

  private async stored(sequence: number): Promise<StoredMsg> {
    const manager = await this.connection.jetstreamManager();
    return manager.streams.getMessage(deadLetterStream, { seq: sequence });
  }
}

/** Headers of JetStream control how a message is stored, and must not be copied. */
function copyOf(source: MsgHdrs | undefined): MsgHdrs {
  const copy = headers();
  if (!source) return copy;
  for (const name of source.keys()) if (!/^nats-/i.test(name)) copy.set(name, source.get(name));
  return copy;
}

/** Empty if another program wrote it. */
const reasonIn = (head: MsgHdrs): string => JSON.parse(head.get(reasonHeader) || '""');

const textOf = (reason: unknown): string =>
  reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);
