import { setTimeout as wait } from 'node:timers/promises';
import { keptFor } from '@moothall/background';
import { commonErrors, isError } from '@moothall/contracts';
import { LRUCache } from 'lru-cache';

const keptSilent = 1_000;

interface Patience {
  /** Whoever answers at all answers within that. */
  patienceMs: number;
  leftAloneMs: number;
}

/** Asks others for what may be left out: while they are away, nobody has to wait for it. */
export class UnlessAway {
  private readonly silent: LRUCache<string, true>;

  constructor(private readonly patience: Patience = { patienceMs: 5_000, leftAloneMs: 30_000 }) {
    this.silent = new LRUCache({ max: keptSilent, ...keptFor(patience.leftAloneMs) });
  }

  /**
   * @param whom is not asked again for a while after a silence, which costs all who come after it
   * @returns null where they are away
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
