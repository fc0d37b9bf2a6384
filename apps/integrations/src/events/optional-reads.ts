import { setTimeout as wait } from 'node:timers/promises';
import { expiresAfter } from '@moothall/background';
import { commonErrors, isError } from '@moothall/contracts';
import { LRUCache } from 'lru-cache';

const keptSilent = 1_000;

interface Patience {
  /** The timeout of a call. */
  patienceMs: number;
  leftAloneMs: number;
}

/** Reads optional data from other services. If one does not answer, the data is omitted. */
export class OptionalReads {
  private readonly silent: LRUCache<string, true>;

  constructor(private readonly patience: Patience = { patienceMs: 5_000, leftAloneMs: 30_000 }) {
    this.silent = new LRUCache({ max: keptSilent, ...expiresAfter(patience.leftAloneMs) });
  }

  /**
   * @param whom is skipped for a while after a timeout, which would delay all later events
   * @returns null if the service is unreachable
   */
  async ask<T>(whom: string, asked: () => Promise<T>): Promise<T | null> {
    if (this.silent.has(whom)) return null;
    const answered = new AbortController();
    const { signal } = answered;
    const late = wait(this.patience.patienceMs, undefined, { signal }).then(() => {
      throw commonErrors.timeout();
    });
    try {
      return await Promise.race([asked(), late]);
    } catch (error) {
      if (isError(error, commonErrors.unavailable)) return null;
      if (!isError(error, commonErrors.timeout)) throw error;
      this.silent.set(whom, true);
      return null;
    } finally {
      answered.abort();
    }
  }
}
