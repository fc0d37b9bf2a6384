import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** What tokens are signed with, and what the registry knows it by. */
export interface SigningKey {
  privateKey: KeyObject;
  /** Its certificate, perhaps with those that lead to one in the registry's `rootcertbundle`; DER in base64. */
  x5c: string[];
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Reads a key and its certificates. @throws Error that says what is wrong with them, and nothing of the key */
export function readSigningKey(pem: string): SigningKey {
  const certificates = (pem.match(certificate) ?? []).map((text) => new X509Certificate(text));
  const [own] = certificates;
  if (!own) throw new Error('REGISTRY_TOKEN_KEY has no certificate');
  const privateKey = createPrivateKey(pem.replace(certificate, ''));
  if (privateKey.asymmetricKeyType !== 'rsa') throw new Error('REGISTRY_TOKEN_KEY is no RSA key');
  if (!own.checkPrivateKey(privateKey))
    throw new Error('The first certificate in REGISTRY_TOKEN_KEY is of another key');
  return { privateKey, x5c: certificates.map(({ raw }) => raw.toString('base64')) };
}
