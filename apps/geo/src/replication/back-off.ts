export interface BackOff {
  firstMs: number;
  longestMs: number;
}

/** How long to wait after a failure, by those before it; up to a fifth longer, so that not all come back at once. */
export function againAfterMs(tries: number, { firstMs, longestMs }: BackOff): number {
  return Math.min(firstMs * 2 ** Math.min(tries, 20), longestMs) * (1 + Math.random() / 5);
}
