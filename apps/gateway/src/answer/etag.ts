import { hash } from 'node:crypto';

/** Weak validator of a JSON body. See docs/api/answers.md#2. */
export const etagOf = (body: Uint8Array): string => etagOfSha1(hash('sha1', body, 'hex'));

/** The same if the SHA-1 is already known. */
export const etagOfSha1 = (sha1: string): string => `W/"${sha1.slice(0, 32)}"`;

/** Whether `If-None-Match` matches the current body. */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((one) => one.trim() === etag || one.trim() === '*');
}
