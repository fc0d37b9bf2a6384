import { randomBytes } from 'node:crypto';

/**
 * Secret bytes as a text that differs each time: random bytes, then their exclusive or with the secret. Pages are
 * compressed, and the length of several ones would disclose a secret that is the same in each of them (BREACH).
 */
export function masked(secret: Buffer): string {
  const mask = randomBytes(secret.length);
  return Buffer.concat([mask, combined(mask, secret)]).toString('base64url');
}

/** @param text of `masked` @returns undefined if it cannot be one */
export function unmasked(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length === 0 || bytes.length % 2 === 1 || bytes.toString('base64url') !== text) return undefined;
  return combined(bytes.subarray(0, bytes.length / 2), bytes.subarray(bytes.length / 2));
}

/** Exclusive or. Applied twice, it returns the original. */
const combined = (mask: Buffer, bytes: Buffer): Buffer => Buffer.from(bytes.map((byte, at) => byte ^ (mask[at] ?? 0)));
