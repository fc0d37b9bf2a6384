/**
 * Expiry of the entries of an LRUCache. It reads the clock each time: the default, a timer of a millisecond that
 * saves clock reads, would wake the process once more for nearly every request.
 */
export const expiresAfter = (ms: number) => ({ ttl: ms, ttlResolution: 0 });
