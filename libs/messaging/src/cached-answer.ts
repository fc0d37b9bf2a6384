import type { EventContract } from '@moothall/contracts';
import type { NatsConnection } from 'nats';
import { listen } from './events/listen';

/** Bounds how long a lost event can be felt. */
const keptForMs = 60_000;

/**
 * The answer to a question that everybody asks and that seldom changes: kept until an event says that it has, asked
 * again after the event, after a gap in the connection, and every minute.
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

  /** A failure is not kept: the next one who reads asks again. */
  read(): Promise<T> {
    if (!this.known || this.known.until < Date.now()) this.known = this.askNow();
    return this.known.answer;
  }

  /** The answer given last, a minute old at most while somebody reads it; undefined before the first. */
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

  /** Asked at once where somebody has asked before, for those who do not wait. */
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
