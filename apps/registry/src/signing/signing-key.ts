import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';

/** The key that signs tokens, and its id for the registry. */
export interface SigningKey {
  privateKey: KeyObject;
  /** Its certificate, optionally with a chain to one in the registry's `rootcertbundle`; DER in base64. */
  x5c: string[];
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** Parses a key and its certificates. @throws Error with the problem, without parts of the key */
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
