import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { createSelfSignedCertificate, identityFromDN, parsePrivateKey } from 'sshpk';

/** What tokens for a container registry are signed with, and what the registry knows that by; PEM. */
export interface TokenKey {
  privateKey: string;
  certificate: string;
}

const bits = 2048;

export async function makeTokenKey(): Promise<TokenKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const own = identityFromDN('CN=moothall');
  const certificate = createSelfSignedCertificate(own, parsePrivateKey(privateKey)).toBuffer('pem').toString();
  return { privateKey, certificate };
}
