import { setTimeout as delay } from 'node:timers/promises';

const lookEveryMs = 20;

/** Tokens that were issued recently and not used yet. */
export class UnusedTokens {
  /** When each was handed out, the oldest first. */
  private readonly since = new Map<string, number>();

  /** @param keptMs how long one is waited for */
  constructor(private readonly keptMs: number) {}

  add(ticket: string): void {
    this.forgetOld();
    this.since.set(ticket, performance.now());
  }

  delete(ticket: string): void {
    this.since.delete(ticket);
  }

  /** Resolves when all have been used or are waited for no longer. */
  async gone(): Promise<void> {
    for (this.forgetOld(); this.since.size > 0; this.forgetOld()) await delay(lookEveryMs);
  }

  private forgetOld(): void {
    const before = performance.now() - this.keptMs;
    for (const [ticket, at] of this.since) {
      if (at > before) return;
      this.since.delete(ticket);
    }
  }
}
