import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { createSelfSignedCertificate, identityFromDN, parsePrivateKey } from 'sshpk';

/** The key that signs tokens for a container registry, and its certificate; PEM. */
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
