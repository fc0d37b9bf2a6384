import { createHmac, timingSafeEqual } from 'node:crypto';

const signatureOf = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

/** What tickets may be signed with: the key that signs, and one that is accepted besides. */
export const keysOf = (signingKey: string, acceptedKey: string | undefined): readonly string[] =>
  acceptedKey === undefined ? [signingKey] : [signingKey, acceptedKey];

/** `name/arguments/expiry/signature`, each safe in a path. Arguments are readable but cannot be altered. */
export function mint(key: string, name: string, args: unknown, expiresAtMs: number): string {
  const text = `${name}/${Buffer.from(JSON.stringify(args)).toString('base64url')}/${expiresAtMs}`;
  return `${text}/${signatureOf(key, text)}`;
}

/** @param keys under any of which it may be signed @returns undefined for what we did not sign, or not for now */
export function read(
  keys: readonly string[],
  ticket: string,
  nowMs: number,
): { name: string; args: unknown } | undefined {
  const [name, args, expiresAtMs, signature, ...rest] = ticket.split('/');
  if (!name || !args || !expiresAtMs || !signature || rest.length > 0) return undefined;
  const text = `${name}/${args}/${expiresAtMs}`;
  if (!keys.some((key) => isSame(signature, signatureOf(key, text)))) return undefined;
  if (Number(expiresAtMs) < nowMs) return undefined;
  return { name, args: JSON.parse(Buffer.from(args, 'base64url').toString()) };
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
