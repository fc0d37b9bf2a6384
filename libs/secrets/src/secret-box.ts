import { createCipheriv, createDecipheriv, createHash, hash, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Keeps secrets that must be read again (hook, mirror and integration credentials, variables) encrypted at rest. */
export class SecretBox {
  private readonly key: Buffer;

  /** @param passphrase of any length; its SHA-256 is the key */
  constructor(passphrase: string) {
    this.key = createHash('sha256').update(passphrase).digest();
  }

  /** @returns base64 of nonce, tag and ciphertext; differs each time */
  seal(plain: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(algorithm, this.key, nonce);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  /** @throws Error when it was altered or sealed under another key */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const decipher = createDecipheriv(algorithm, this.key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
    const body = bytes.subarray(nonceBytes + tagBytes);
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
  }
}

/** What is kept of a token, and what travels: 64 hex digits, from which nobody gets the token back. */
export const sha256 = (text: string): string => hash('sha256', text);
