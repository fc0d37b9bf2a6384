import type { z } from 'zod';

/** A change in a service that others consume. Stored with the change, then published to JetStream. */
export interface EventContract<D extends z.ZodType = z.ZodType> {
  /** `service.thing.happened`; the subject is `events.` and this. */
  name: string;
  data: D;
}

export const event = <D extends z.ZodType>(contract: EventContract<D>): EventContract<D> => contract;

declare const was: unique symbol;

/**
 * A state at the time of the event. Events may be duplicated and out of order, so it may be outdated: the type
 * prevents accidental use, and consumers read the current state. Only hooks, which report the snapshot, open it.
 */
export interface Snapshot<T> {
  readonly [was]: T;
}

/** Marks a field of an event as a snapshot and not as a fact, also for docs/events.md. The message does not change. */
export const snapshotField = <S extends z.ZodType>(schema: S) =>
  schema.meta({ ...schema.meta(), past: true }) as unknown as z.ZodType<Snapshot<z.output<S>>, z.input<S>>;

/** The data of an event from its publisher. */
export type EventInput<E> = E extends EventContract<infer D> ? z.input<D> : never;

/** The data that consumers get. */
export type EventData<E> = E extends EventContract<infer D> ? z.output<D> : never;

/** An event as it is stored and sent. Consumers recognize duplicates by the id. */
export interface EventRecord<T = unknown> {
  id: string;
  name: string;
  data: T;
  /** ISO 8601, when the change was written. */
  occurredAt: string;
  /** Of the causing request, if requests are traced. */
  requestId?: string | undefined;
  /** W3C trace context of its cause, with traces. */
  traceparent?: string | undefined;
}

export const eventSubject = (name: string): string => `events.${name}`;
