import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const tokenBytes = 32;

/**
 * The token that binds forms to a browser, as one page shows it: masked with random bytes. Pages are compressed, and
 * the length of several ones would disclose a token that is the same in each of them (BREACH).
 */
export function maskedFormToken(key: string, cookie: string): string {
  const mask = randomBytes(tokenBytes);
  return Buffer.concat([mask, combine(mask, formToken(key, cookie))]).toString('base64url');
}

/** Whether a sent token, masked or not, belongs to the browser. Pages of earlier versions show it without a mask. */
export function isFormToken(sent: string, key: string, cookie: string): boolean {
  const bytes = /^[\w-]{43}$|^[\w-]{86}$/.test(sent) ? Buffer.from(sent, 'base64url') : Buffer.alloc(0);
  const token =
    bytes.length === 2 * tokenBytes ? combine(bytes.subarray(0, tokenBytes), bytes.subarray(tokenBytes)) : bytes;
  return token.length === tokenBytes && timingSafeEqual(token, formToken(key, cookie));
}

const formToken = (key: string, cookie: string): Buffer => createHmac('sha256', key).update(`form:${cookie}`).digest();

/** Exclusive or. Applied twice, it returns the original. */
const combine = (mask: Buffer, bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => byte ^ (mask[at] ?? 0)));
