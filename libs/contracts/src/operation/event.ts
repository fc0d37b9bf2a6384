import type { z } from 'zod';

/** Something that happened in a service, which others follow. Stored with the change, then relayed to JetStream. */
export interface EventContract<D extends z.ZodType = z.ZodType> {
  /** `service.thing.happened`; the subject is `events.` and this. */
  name: string;
  data: D;
}

export const event = <D extends z.ZodType>(contract: EventContract<D>): EventContract<D> => contract;

declare const was: unique symbol;

/**
 * How something was when the event was written. Events come twice and in any order, so that it may be long past: the
 * type prevents accidental use: a consumer asks for the current state. Only hooks, which report the snapshot, open it.
 */
export interface Snapshot<T> {
  readonly [was]: T;
}

/** Marks a field of an event as state and not as a fact, also for docs/events.md. Nothing changes on the wire. */
export const snapshotField = <S extends z.ZodType>(schema: S) =>
  schema.meta({ ...schema.meta(), past: true }) as unknown as z.ZodType<Snapshot<z.output<S>>, z.input<S>>;

/** The data that the publisher of an event gives. */
export type EventInput<E> = E extends EventContract<infer D> ? z.input<D> : never;

/** The data that consumers get. */
export type EventData<E> = E extends EventContract<infer D> ? z.output<D> : never;

/** An event as it is stored and sent. Consumers recognise repeats by the id. */
export interface EventRecord<T = unknown> {
  id: string;
  name: string;
  data: T;
  /** ISO 8601, when the change was written. */
  occurredAt: string;
  /** Of the request that it follows from, where requests are followed. */
  requestId?: string | undefined;
  /** W3C trace context of what it follows from, where traces are made. */
  traceparent?: string | undefined;
}

export const eventSubject = (name: string): string => `events.${name}`;
