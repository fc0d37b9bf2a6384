export interface BackOff {
  firstMs: number;
  longestMs: number;
}

/**
 * Delay before the next attempt, by the number of failures; up to a fifth longer at random, so that attempts are
 * spread.
 */
export function againAfterMs(tries: number, { firstMs, longestMs }: BackOff): number {
  return Math.min(firstMs * 2 ** Math.min(tries, 20), longestMs) * (1 + Math.random() / 5);
}
