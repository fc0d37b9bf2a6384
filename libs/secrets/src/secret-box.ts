import { createCipheriv, createDecipheriv, createHash, hash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts secrets that must be read again (credentials of hooks, mirrors and integrations, variables). An encrypted
 * value does not name its key: its tag fits one key only.
 */
export class SecretBox {
  private readonly key: Buffer;
  private readonly keys: readonly Buffer[];

  /**
   * @param passphrase of any length; its SHA-256 is the key
   * @param accepted of another key, by which things are sealed that are still to be opened
   */
  constructor(passphrase: string, accepted?: string | undefined) {
    this.key = sha256Bytes(passphrase);
    this.keys = accepted === undefined ? [this.key] : [this.key, sha256Bytes(accepted)];
  }

  /** A name of the first key: the same in every process with that key, and useless to others. */
  get keyName(): string {
    return createHash('sha256').update('name of ').update(this.key).digest('hex').slice(0, 12);
  }

  /** @returns base64 of nonce, tag and ciphertext; differs each time */
  seal(plain: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.key, nonce);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  /** @throws Error if it was altered or encrypted with another key */
  open(sealed: string): string {
    return this.opened(sealed).plain;
  }

  /** @returns undefined if it is already encrypted with the first key @throws like `open` */
  reseal(sealed: string): string | undefined {
    const { plain, key } = this.opened(sealed);
    return key === this.key ? undefined : this.seal(plain);
  }

  private opened(sealed: string): { plain: string; key: Buffer } {
    const bytes = Buffer.from(sealed, 'base64');
    for (const key of this.keys.slice(0, -1)) {
      try {
        return { plain: decipher(bytes, key), key };
      } catch {
        // By another key, then.
      }
    }
    const key = this.keys.at(-1) as Buffer;
    return { plain: decipher(bytes, key), key };
  }
}

function decipher(bytes: Buffer, key: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  const body = bytes.subarray(nonceBytes + tagBytes);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

const sha256Bytes = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The stored hash of a token: 64 hex digits. */
export const sha256 = (text: string): string => hash('sha256', text);
