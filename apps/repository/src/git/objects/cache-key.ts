import { hash } from 'node:crypto';

/**
 * A key for what follows from what was asked of a repository. Always as long, as callers write paths and texts of many
 * kilobytes, which would be kept beside an answer of a few bytes.
 */
export const cacheKey = (generation: number, ...asked: readonly unknown[]): string =>
  `${generation}:${hash('sha1', JSON.stringify(asked))}`;
