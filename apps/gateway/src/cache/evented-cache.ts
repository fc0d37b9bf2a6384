import { expiresAfter } from '@moothall/background';
import { LRUCache } from 'lru-cache';

interface Entry<V> {
  promise: Promise<V>;
  value?: V;
}

/**
 * Answers of another service, kept for seconds and dropped as soon as an event says that they changed.
 * Concurrent questions are asked once; refusals are not kept. An answer whose question was under way when an event
 * invalidated it is returned to callers, and not cached either.
 */
export class EventedCache<V extends object> {
  private readonly entries: LRUCache<string, Entry<V>>;
  private readonly isKept: boolean;

  /** @param seconds 0 where others keep the answers: then each is asked for until it is there, and no longer */
  constructor({ max, seconds }: { max: number; seconds: number }) {
    this.isKept = seconds > 0;
    this.entries = new LRUCache({ max, ...expiresAfter(seconds * 1000) });
  }

  /** @param isWorthKeeping which answers others are given, too */
  get(key: string, ask: () => Promise<V>, isWorthKeeping: (value: V) => boolean = () => true): Promise<V> {
    const known = this.entries.get(key);
    if (known) return known.promise;
    const entry: Entry<V> = { promise: ask() };
    this.entries.set(key, entry);
    entry.promise.then(
      (value) => {
        entry.value = value;
        if (!this.isKept || !isWorthKeeping(value)) this.forget(key, entry);
      },
      () => this.forget(key, entry),
    );
    return entry.promise;
  }

  private forget(key: string, entry: Entry<V>): void {
    if (this.entries.peek(key) === entry) this.entries.delete(key);
  }

  /** Drops the answers that `concerns` says yes to, and those still under way, of which nobody knows. */
  drop(concerns: (value: V, key: string) => boolean): void {
    for (const [key, entry] of [...this.entries.entries()]) {
      if (entry.value === undefined || concerns(entry.value, key)) this.entries.delete(key);
    }
  }

  clear(): void {
    this.entries.clear();
  }
}
