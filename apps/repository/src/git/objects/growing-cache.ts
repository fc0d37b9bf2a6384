import { LRUCache } from 'lru-cache';

/** Keeps so many entries, those used last. It takes memory as it fills: told a `max`, LRUCache takes it all at the start. */
export const growingCache = <V extends {}>(entries: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: entries, sizeCalculation: () => 1 });
