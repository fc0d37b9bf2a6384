import { createHmac, timingSafeEqual } from 'node:crypto';

const signatureOf = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('base64url');

/** `name/arguments/expiry/signature`, each safe in a path. Arguments are readable but cannot be altered. */
export function mint(key: string, name: string, args: unknown, expiresAtMs: number): string {
  const text = `${name}/${Buffer.from(JSON.stringify(args)).toString('base64url')}/${expiresAtMs}`;
  return `${text}/${signatureOf(key, text)}`;
}

/** @returns undefined for what we did not sign, or not for now */
export function read(key: string, ticket: string, nowMs: number): { name: string; args: unknown } | undefined {
  const [name, args, expiresAtMs, signature, ...rest] = ticket.split('/');
  if (!name || !args || !expiresAtMs || !signature || rest.length > 0) return undefined;
  const expected = Buffer.from(signatureOf(key, `${name}/${args}/${expiresAtMs}`));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  if (Number(expiresAtMs) < nowMs) return undefined;
  return { name, args: JSON.parse(Buffer.from(args, 'base64url').toString()) };
}
