import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Trusted root certificates: those of Node, and those of the administrator's file. @throws if it cannot be read */
export function readTrustedRoots(file: string | undefined): X509Certificate[] {
  const own = file === undefined ? [] : (readFileSync(file, 'latin1').match(pem) ?? []);
  return [...own, ...rootCertificates].map((text) => new X509Certificate(text));
}
