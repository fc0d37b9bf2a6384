import { setTimeout as sleep } from 'node:timers/promises';
import { Gate } from '@moothall/background';
import {
  commonErrors,
  type EventContract,
  type EventData,
  type EventRecord,
  eventSubject,
  isError,
} from '@moothall/contracts';
import { Logger } from '@nestjs/common';
import { AckPolicy, DeliverPolicy, type JsMsg, type NatsConnection, nanos } from 'nats';
import { concerns, DeadLetters } from './dead-letters';
import { eventStream } from './event-stream';
import { LargeEvents } from './large-events';

export type EventHandler<E extends EventContract> = (event: EventRecord<EventData<E>>) => Promise<void>;

export interface EventConsumerOptions {
  /** Failures after which an event becomes a dead letter. */
  attempts?: number;
  /** The same while others wait behind it; 5 by default, and never more than `attempts`. */
  attemptsInOrder?: number;
  /**
   * Whether a handler failed only because a dependency is unavailable: the consumer waits for it, and counts no
   * failure.
   */
  isAway?: (error: unknown) => boolean;
  /** Less than 1 for shorter retry and recovery times. */
  pace?: number;
  /** Called when an event becomes a dead letter. */
  onDeadLetter?: (durable: string) => void;
}

/** After this time without an acknowledgement another replica gets the event. Long enough at any pace for a busy process. */
const ackWaitMs = (pace: number): number => Math.max(3_000, 15_000 * pace);
/** Attempts within half a minute: an event that always fails delays later ones no longer. */
const fewAttempts = 5;
const maxPauseSeconds = 60;
/** Longest pause between two tries while a dependency is unavailable. */
const longestWaitMs = 5_000;

/** Follows events durably: each is handled at least once, in spite of restarts and of other replicas. */
export class EventConsumer {
  private readonly log = new Logger(EventConsumer.name);
  private readonly events: LargeEvents;
  private readonly deadLetters: DeadLetters;
  private readonly stops: (() => Promise<unknown>)[] = [];
  private readonly running = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  private readonly gate = new Gate();
  /** Incremented when all subscriptions are reset. */
  private era = 0;

  constructor(
    private readonly connection: NatsConnection,
    private readonly options: EventConsumerOptions = {},
  ) {
    this.events = new LargeEvents(connection);
    this.deadLetters = new DeadLetters(connection);
  }

  /** @param durable name of the position in the stream; replicas of a service share it */
  async follow<E extends EventContract>(contract: E, durable: string, handler: EventHandler<E>): Promise<void> {
    await this.consume({ filter_subject: eventSubject(contract.name) }, durable, handler);
  }

  /**
   * The same for events of several kinds, in the order in which they were published: one after the other, also with
   * several replicas. While one fails, later ones wait until it becomes a dead letter, which happens soon.
   */
  async followInOrder(contracts: readonly EventContract[], durable: string, handler: EventHandler<EventContract>) {
    const names = new Set(contracts.map(({ name }) => name));
    // Servers before 2.10 filter by one subject only.
    const wanted = { filter_subject: eventSubject('>'), max_ack_pending: 1 };
    const handleWanted: EventHandler<EventContract> = async (event) => {
      if (names.has(event.name)) await handler(event);
    };
    const failures = Math.min(this.options.attemptsInOrder ?? fewAttempts, this.attempts);
    await this.consume(wanted, durable, handleWanted, failures);
  }

  private async consume<E extends EventContract>(
    wanted: { filter_subject: string; max_ack_pending?: number },
    durable: string,
    handler: EventHandler<E>,
    failures = this.attempts,
  ): Promise<void> {
    const manager = await this.connection.jetstreamManager();
    await manager.consumers.add(eventStream, {
      durable_name: durable,
      ...wanted,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      ack_wait: nanos(ackWaitMs(this.pace)),
    });
    const consumer = await this.connection.jetstream().consumers.get(eventStream, durable);
    const callback = (message: JsMsg): void =>
      this.track(this.onceOpen(message, () => this.handle(message, durable, handler, failures)));
    const messages = await consumer.consume({ max_messages: 20, callback });
    this.stops.push(() => messages.close());
  }

  private async onceOpen(message: JsMsg, handle: () => Promise<void>): Promise<void> {
    const { era } = this;
    await this.gate.pass(async () => {
      if (era === this.era) await handle();
      else message.ack();
    });
  }

  /** Handles nothing until it is released. Resolves when running handlers have ended. */
  hold(): Promise<void> {
    return this.gate.close();
  }

  /** @param forgets drops events that arrived in between, because their changes were undone */
  release(forgets: boolean): void {
    if (forgets) this.era++;
    this.gate.open();
  }

  private track(work: Promise<void>): void {
    const tracked = work.finally(() => this.running.delete(tracked));
    this.running.add(tracked);
  }

  private get pace(): number {
    return this.options.pace ?? 1;
  }

  /** Increasing, so that a problem that is fixed soon delays little. */
  private pauseMs(deliveries: number): number {
    return Math.min(2 ** deliveries, maxPauseSeconds) * 1000 * this.pace;
  }

  private get attempts(): number {
    return this.options.attempts ?? Number.POSITIVE_INFINITY;
  }

  /** @param failures after which it becomes a dead letter */
  private async handle<E extends EventContract>(
    message: JsMsg,
    durable: string,
    handler: EventHandler<E>,
    failures: number,
  ): Promise<void> {
    if (!concerns(message, durable)) {
      message.ack();
      return;
    }
    const { deliveryCount } = message.info;
    const stillAtIt = setInterval(() => message.working(), ackWaitMs(this.pace) / 3);
    try {
      // It was delivered that often without an answer: its processes crashed.
      if (deliveryCount > this.attempts) throw new Error('every process that started it ended before it finished');
      await this.onceAllIsThere(async () => handler(await this.events.read<EventData<E>>(message)));
      message.ack();
    } catch (error) {
      if (this.closing.signal.aborted) message.nak();
      else if (deliveryCount >= failures) await this.setAside(message, durable, error);
      else message.nak(this.pauseMs(deliveryCount));
    } finally {
      clearInterval(stillAtIt);
    }
  }

  /** A dependency may be unavailable for hours, which is not a failure of the event. */
  private async onceAllIsThere(work: () => Promise<void>): Promise<void> {
    for (let wait = 500; ; wait = Math.min(wait * 2, longestWaitMs)) {
      try {
        await work();
        return;
      } catch (error) {
        if (!this.isAway(error)) throw error;
        await sleep(wait, undefined, { signal: this.closing.signal });
      }
    }
  }

  private isAway(error: unknown): boolean {
    const away = [commonErrors.unavailable, commonErrors.timeout, commonErrors.diskFull].some((maker) =>
      isError(error, maker),
    );
    return away || (this.options.isAway?.(error) ?? false);
  }

  private async setAside(message: JsMsg, durable: string, reason: unknown): Promise<void> {
    try {
      await this.deadLetters.add(message, durable, reason);
      message.ack();
      this.log.error(`${durable} gave ${message.subject} up after ${message.info.deliveryCount} times: ${reason}`);
      this.options.onDeadLetter?.(durable);
    } catch (error) {
      this.log.error(`${durable} could not store the dead letter of ${message.subject}: ${error}`);
      message.nak(this.pauseMs(message.info.deliveryCount));
    }
  }

  /** Accepts no more events, and waits for running handlers. */
  async close(): Promise<void> {
    await Promise.all(this.stops.map((stop) => stop()));
    this.closing.abort();
    await Promise.all(this.running);
  }
}
