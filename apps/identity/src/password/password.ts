import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

// The least cost that OWASP recommends for argon2id; the library hashes on threads of its own.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** What nobody knows is compared with, so that an unknown user takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

/** Whether the password matches the hash; false, after the same time, if there is none. */
export async function isPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomPassword());
  const isEqual = await verify(passwordHash ?? (await decoy), password);
  return isEqual && Boolean(passwordHash);
}

export const randomPassword = (): string => randomBytes(24).toString('base64url');

/** @returns what is wrong with a new password, in the words of the interface */
export function passwordProblems(password: string): string[] {
  if (password.length < 8) return ['is too short (minimum is 8 characters)'];
  return password.length > 128 ? ['is too long (maximum is 128 characters)'] : [];
}
