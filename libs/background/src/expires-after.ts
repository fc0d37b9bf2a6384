/**
 * How long the entries of an LRUCache are good. It looks at the clock each time: what it would do instead, a timer of a
 * millisecond that spares further looks, wakes the process once more for nearly every request.
 */
export const expiresAfter = (ms: number) => ({ ttl: ms, ttlResolution: 0 });
