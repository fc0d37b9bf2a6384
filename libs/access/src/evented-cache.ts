import { expiresAfter } from '@moothall/background';
import { LRUCache } from 'lru-cache';

interface Entry<V> {
  promise: Promise<V>;
  value?: V;
}

/**
 * Caches answers of another service for seconds, and drops them when an event reports a change. Concurrent requests are
 * one call; refusals are not cached. An answer whose call was running when an event invalidated it is returned to
 * callers, but not cached.
 */
export class EventedCache<V extends object> {
  private readonly entries: LRUCache<string, Entry<V>>;
  private readonly isKept: boolean;

  /** @param seconds 0 if the called service caches: then calls are only coalesced */
  constructor({ max, seconds }: { max: number; seconds: number }) {
    this.isKept = seconds > 0;
    this.entries = new LRUCache({ max, ...expiresAfter(seconds * 1000) });
  }

  /** @param isWorthKeeping whether to cache an answer */
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

  /** Drops the answers for which `concerns` is true, and all running calls. */
  drop(concerns: (value: V, key: string) => boolean): void {
    for (const [key, entry] of [...this.entries.entries()]) {
      if (entry.value === undefined || concerns(entry.value, key)) this.entries.delete(key);
    }
  }

  clear(): void {
    this.entries.clear();
  }
}
