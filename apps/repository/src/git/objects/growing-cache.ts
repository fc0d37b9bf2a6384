import { LRUCache } from 'lru-cache';

/** Keeps the entries used last, up to a number. It allocates as it fills; an LRUCache with `max` allocates everything at the start. */
export const growingCache = <V extends {}>(entries: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: entries, sizeCalculation: () => 1 });
