import { createHash } from 'node:crypto';
import { type PublicKeyAuthContext, utils } from 'ssh2';

/** The fingerprint of a key. */
export function fingerprintOf(keyBlob: Buffer): string {
  return `SHA256:${createHash('sha256').update(keyBlob).digest('base64').replaceAll('=', '')}`;
}

/** A client first asks whether a key would be accepted, and then proves that it has it. */
export function provesKey({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  if (!signature || !blob) return false;
  const parsed = utils.parseKey(`${key.algo} ${key.data.toString('base64')}`);
  if (parsed instanceof Error) return false;
  return parsed.verify(blob, signature, hashAlgo) === true;
}
