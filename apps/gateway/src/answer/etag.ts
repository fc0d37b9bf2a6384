import { hash } from 'node:crypto';

/** Weak validator of a JSON body. See docs/api/answers.md#2. */
export const etagOf = (body: Uint8Array): string => etagOfSha1(hash('sha1', body, 'hex'));

/** The same where somebody else has reckoned the SHA-1. */
export const etagOfSha1 = (sha1: string): string => `W/"${sha1.slice(0, 32)}"`;

/** Whether `If-None-Match` names the body the client would get. */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((one) => one.trim() === etag || one.trim() === '*');
}
