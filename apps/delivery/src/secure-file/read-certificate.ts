import { X509Certificate } from 'node:crypto';
import type { SecureFile } from '@moothall/contracts';

type Metadata = SecureFile['metadata'];

/** Size limit of certificates. */
const mostBytes = 64 * 1024;
const mostNames = 50;

/** Metadata of a certificate; null for any other file. */
export function readCertificate(name: string, content: Buffer): Metadata {
  if (!/\.cer$/i.test(name) || content.length > mostBytes) return null;
  try {
    const { serialNumber, issuer, subject, validTo } = new X509Certificate(content);
    const ends = new Date(validTo);
    if (Number.isNaN(ends.getTime())) return null;
    const [from, of] = [namesIn(issuer), namesIn(subject)];
    return { id: serialNumber, issuer: from, subject: of, expires_at: ends.toISOString() };
  } catch {
    return null;
  }
}

/** Each line of a distinguished name is one attribute, as `CN=Ada`. */
function namesIn(distinguished: string | undefined): Record<string, string> {
  const parts = (distinguished ?? '').split('\n').slice(0, mostNames);
  return Object.fromEntries(
    parts.flatMap((part) => {
      const at = part.indexOf('=');
      return at > 0 ? [[part.slice(0, at), part.slice(at + 1)]] : [];
    }),
  );
}
