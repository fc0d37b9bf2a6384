import { LRUCache } from 'lru-cache';

/**
 * Caches the most recently used entries, up to a number. It allocates memory as it fills; an LRUCache with `max`
 * allocates everything at the start.
 */
export const growingCache = <V extends {}>(entries: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: entries, sizeCalculation: () => 1 });
