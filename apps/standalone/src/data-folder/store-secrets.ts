import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type FirstAdministrator, firstAdministrator } from '../administrator/first-administrator';
import { StartError } from './start-error';
import { writePrivateFile } from './write-private-file';

/** Created at the first start: this file gives access to the whole server. */
export interface Secrets {
  natsPassword: string;
  redisPassword: string;
  /** Encrypts stored credentials. */
  secretKey: string;
  /** Signs tickets for the internal data ports. */
  ticketKey: string;
  /** While keys are changed. */
  rotation?: KeyRotation | undefined;
  /** Root's sign-in as it was made; changing the password later does not change it here. */
  administrator: FirstAdministrator;
}

/** `npm run keys -- rotate` in the middle of it. Every process knows both of each key, and encrypts and signs by the first. */
export interface KeyRotation {
  /** The others are the next ones, which nobody uses yet, or the former ones, of which something may be left. */
  others: 'next' | 'former';
  secretKey: string;
  ticketKey: string;
}

/** What every process knows, once it does. */
export interface KeysInUse {
  /** @see nameOfKeys */
  name: string;
  /** Not so where SECRET_KEY is set. */
  isOwn: boolean;
}

interface Chosen {
  ROOT_PASSWORD?: string | undefined;
  ROOT_TOKEN?: string | undefined;
}

/**
 * Reads the secrets, or makes them: before the administrator is created with them, so that no crash in between loses
 * the password that was set.
 * @throws StartError when the file is damaged; making new ones would lose what the old key encrypted
 */
export function storeSecrets(file: string, chosen: Chosen): Secrets {
  if (!existsSync(file)) writePrivateFile(file, makeSecrets(chosen));
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  } catch {
    throw new StartError(`${file} cannot be read. Restore it from a backup: it holds the key of stored credentials.`);
  }
}

export const newKeys = (): Pick<Secrets, 'secretKey' | 'ticketKey'> => ({
  secretKey: random(32),
  ticketKey: random(32),
});

/** Identifies a set of keys without revealing them. */
export function nameOfKeys({ secretKey, ticketKey, rotation }: Secrets): string {
  const all = [secretKey, ticketKey, rotation?.secretKey, rotation?.ticketKey];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 16);
}

function makeSecrets({ ROOT_PASSWORD, ROOT_TOKEN }: Chosen): Secrets {
  return {
    natsPassword: random(24),
    redisPassword: random(24),
    ...newKeys(),
    // The token is of the form that programs look for.
    administrator: firstAdministrator(ROOT_PASSWORD ?? random(15), ROOT_TOKEN ?? `glpat-${random(15)}`),
  };
}

/** @returns letters, digits, `-` and `_`: safe in URLs, shells and configuration files without quoting */
function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
