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
  /** Signs URLs of the internal data ports. */
  ticketKey: string;
  /** Set during a key rotation. */
  rotation?: KeyRotation | undefined;
  /** Root's sign-in at the first start; later changes of the password are not stored here. */
  administrator: FirstAdministrator;
}

/**
 * A running `npm run keys -- rotate`. Every process knows both keys of each kind, and encrypts and signs with the
 * first.
 */
export interface KeyRotation {
  /** The other keys are the next ones, which are not used yet, or the former ones, which may still be in use. */
  others: 'next' | 'former';
  secretKey: string;
  ticketKey: string;
}

/** Written when every process uses the keys. */
export interface KeysInUse {
  /** @see nameOfKeys */
  name: string;
  /** False if SECRET_KEY is set. */
  isOwn: boolean;
}

interface Chosen {
  ROOT_PASSWORD?: string | undefined;
  ROOT_TOKEN?: string | undefined;
}

/**
 * Reads the secrets, or creates them: before the administrator is created, so that no crash in between loses the
 * password.
 * @throws StartError if the file is damaged; new secrets would lose the values that the old key encrypted
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
    // The token has the prefix that programs recognise.
    administrator: firstAdministrator(ROOT_PASSWORD ?? random(15), ROOT_TOKEN ?? `glpat-${random(15)}`),
  };
}

/** @returns letters, digits, `-` and `_`: safe in URLs, shells and configuration files without quoting */
function random(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
