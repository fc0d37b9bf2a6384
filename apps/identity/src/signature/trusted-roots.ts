import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Whom certificates are believed from: those that Node knows, and those of a file of the administrator's. @throws where it cannot be read */
export function readTrustedRoots(file: string | undefined): X509Certificate[] {
  const own = file === undefined ? [] : (readFileSync(file, 'latin1').match(pem) ?? []);
  return [...own, ...rootCertificates].map((text) => new X509Certificate(text));
}
