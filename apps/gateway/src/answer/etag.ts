import { hash } from 'node:crypto';

/** Weak validator of a JSON body. Source: clarifications A.4. */
export const etagOf = (body: Uint8Array): string => `W/"${hash('sha1', body, 'hex').slice(0, 32)}"`;

/** Whether `If-None-Match` names the body the client would get. */
export function isUnchanged(ifNoneMatch: string | undefined, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((one) => one.trim() === etag || one.trim() === '*');
}
