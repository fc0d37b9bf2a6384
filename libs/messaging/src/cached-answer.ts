import type { EventContract } from '@moothall/contracts';
import type { NatsConnection } from 'nats';
import { listen } from './events/listen';

/** Bounds how long a lost event can be felt. */
const keptForMs = 60_000;

/**
 * Caches an answer that is read often and changes rarely. It is invalidated by an event of its change, by a gap in
 * the connection, and after a minute.
 */
export class CachedAnswer<T> {
  private known?: { answer: Promise<T>; until: number } | undefined;
  private last?: T | undefined;
  private isClosed = false;
  private readonly stopListening: () => void;

  constructor(
    connection: NatsConnection,
    changed: EventContract,
    private readonly ask: () => Promise<T>,
  ) {
    const forget = () => this.forget();
    this.stopListening = listen(connection, [changed.name], forget, forget);
  }

  /** A failure is not cached: the next call asks again. */
  read(): Promise<T> {
    if (!this.known || this.known.until < Date.now()) this.known = this.askNow();
    return this.known.answer;
  }

  /** The last answer, at most a minute old while it is read; undefined before the first. */
  get latest(): T | undefined {
    this.read().catch(() => {});
    return this.last;
  }

  private askNow(): { answer: Promise<T>; until: number } {
    const asked = { answer: this.ask(), until: Date.now() + keptForMs };
    asked.answer.then(
      (answer) => {
        if (this.known === asked) this.last = answer;
      },
      () => {
        if (this.known === asked) this.known = undefined;
      },
    );
    return asked;
  }

  /** Requested again immediately if it was read before, for callers that do not wait. */
  private forget(): void {
    const wasAsked = this.known !== undefined;
    this.known = undefined;
    if (wasAsked && !this.isClosed) this.read().catch(() => {});
  }

  close(): void {
    this.isClosed = true;
    this.stopListening();
  }
}
