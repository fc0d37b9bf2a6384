import { hash } from 'node:crypto';

/**
 * A key for a result that depends on a request to a repository. It has a fixed length, since callers can send paths and
 * texts of many kilobytes, which would take more memory than the result.
 */
export const cacheKey = (generation: number, ...asked: readonly unknown[]): string =>
  `${generation}:${hash('sha1', JSON.stringify(asked))}`;
