import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Origin } from '@moothall/tracing';

const signatureOf = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

/** Keys of signed tokens: the one that signs, and one that is accepted too. */
export const keysOf = (signingKey: string, acceptedKey: string | undefined): readonly string[] =>
  acceptedKey === undefined ? [signingKey] : [signingKey, acceptedKey];

/** The content of a signed token. */
export interface SignedToken {
  name: string;
  args: unknown;
  /** The trace of the work that signed it, if there is one. */
  origin?: Origin;
}

const pack = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const unpack = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());

/**
 * `name/arguments/expiry/signature`, with the trace before the signature if there is one, each safe in a path. The
 * content is readable but cannot be altered.
 */
export function mint(key: string, { name, args, origin }: SignedToken, expiresAtMs: number): string {
  const text = [name, pack(args), expiresAtMs, ...(origin ? [pack(origin)] : [])].join('/');
  return `${text}/${signatureOf(key, text)}`;
}

/**
 * @param keys any of which may have signed it @returns undefined for a token with another signature, or an expired
 * one
 */
export function read(keys: readonly string[], ticket: string, nowMs: number): SignedToken | undefined {
  const end = ticket.lastIndexOf('/');
  const [text, signature] = [ticket.slice(0, Math.max(end, 0)), ticket.slice(end + 1)];
  if (!keys.some((key) => isSame(signature, signatureOf(key, text)))) return undefined;
  const [name, args, expiresAtMs, origin, ...rest] = text.split('/');
  if (!name || !args || !expiresAtMs || rest.length > 0) return undefined;
  if (Number(expiresAtMs) < nowMs) return undefined;
  return { name, args: unpack(args), ...(origin && { origin: unpack(origin) }) };
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
