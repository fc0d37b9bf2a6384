import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

// The minimum cost that OWASP recommends for argon2id; the library hashes in its own threads.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** A hash of an unknown password, so that an unknown user takes as long as a wrong password. */
let decoy: Promise<string> | undefined;

/** Whether the password matches the hash; false, after the same time, if there is none. */
export async function isPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomPassword());
  const isEqual = await verify(passwordHash ?? (await decoy), password);
  return isEqual && Boolean(passwordHash);
}

export const randomPassword = (): string => randomBytes(24).toString('base64url');

/** @returns problems of a new password, in the words of the API */
export function passwordProblems(password: string): string[] {
  if (password.length < 8) return ['is too short (minimum is 8 characters)'];
  return password.length > 128 ? ['is too long (maximum is 128 characters)'] : [];
}
