/** Number of connections per key, with a limit for each. */
export class ConnectionShares {
  private readonly counts = new Map<string, number>();

  constructor(private readonly share: number) {}

  /** @returns false if the limit is reached */
  take(who: string): boolean {
    const count = this.counts.get(who) ?? 0;
    if (count >= this.share) return false;
    this.counts.set(who, count + 1);
    return true;
  }

  give(who: string): void {
    const count = this.counts.get(who) ?? 0;
    if (count > 1) this.counts.set(who, count - 1);
    else this.counts.delete(who);
  }
}
