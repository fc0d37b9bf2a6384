import type { z } from 'zod';

/** Something that happened in a service, which others follow. Stored with the change, then relayed to JetStream. */
export interface EventContract<D extends z.ZodType = z.ZodType> {
  /** `service.thing.happened`; the subject is `events.` and this. */
  name: string;
  data: D;
}

export const event = <D extends z.ZodType>(contract: EventContract<D>): EventContract<D> => contract;

export type EventData<E> = E extends EventContract<infer D> ? z.output<D> : never;

/** An event as it is stored and sent. The id is what consumers tell repeats by. */
export interface EventRecord<T = unknown> {
  id: string;
  name: string;
  data: T;
  /** ISO 8601, when the change was written. */
  occurredAt: string;
}

export const eventSubject = (name: string): string => `events.${name}`;
