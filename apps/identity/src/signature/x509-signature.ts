import { createHash, verify, X509Certificate } from 'node:crypto';
import type { CommitSignature } from '@moothall/contracts';
import { readExtensions, readSignedData, type SignedData, type Signer } from './cms';

export type X509Signature = Extract<CommitSignature, { signature_type: 'X509' }>;

const begin = '-----BEGIN SIGNED MESSAGE-----';
const end = '-----END SIGNED MESSAGE-----';
const mostCertificates = 20;
const longestChain = 8;

/** @returns undefined for text that is not an S/MIME signature */
export function readX509Signature(text: string): SignedData | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(begin) || !trimmed.endsWith(end)) return undefined;
  try {
    return readSignedData(Buffer.from(trimmed.slice(begin.length, -end.length), 'base64'));
  } catch {
    // No other form can describe it.
    return { certificates: [], signers: [] };
  }
}

/**
 * @param roots trusted root certificates
 * @param isTheirs whether an address is a confirmed one of the committer
 * @see docs/api/keys.md#5
 */
export function judgeX509Signature(...asked: Parameters<typeof judge>): X509Signature {
  try {
    return judge(...asked);
  } catch {
    // Node parses a certificate lazily, and throws for fields that it cannot read.
    return unreadable;
  }
}

const unreadable: X509Signature = {
  signature_type: 'X509',
  verification_status: 'unverified',
  x509_certificate: null,
};

function judge(
  signed: SignedData,
  payload: Buffer,
  roots: readonly X509Certificate[],
  isTheirs: (email: string) => boolean,
): X509Signature {
  const all = signed.certificates.slice(0, mostCertificates).flatMap(read);
  const [signer] = signed.signers;
  const own = signer && all.find((each) => isNamed(each, signer));
  if (!signer || !own) return unreadable;
  const email = emailOf(own);
  const isVerified =
    signed.signers.length === 1 &&
    isSigned(own, signer, payload) &&
    email !== null &&
    isTheirs(email) &&
    isTrusted(own, all, roots);
  return {
    signature_type: 'X509',
    verification_status: isVerified ? 'verified' : 'unverified',
    x509_certificate: view(own, email),
  };
}

function read(der: Buffer): X509Certificate[] {
  try {
    return [new X509Certificate(der)];
  } catch {
    return [];
  }
}

const serialOf = ({ serialNumber }: X509Certificate): string => serialNumber.replace(/^0+/, '').toUpperCase();

function isNamed(certificate: X509Certificate, { serialNumber, keyIdentifier }: Signer): boolean {
  if (keyIdentifier === undefined) return serialOf(certificate) === serialNumber;
  return readExtensions(certificate.raw).keyIdentifier.replaceAll(':', '').toLowerCase() === keyIdentifier;
}

/** RFC 5652 5.4: over the attributes, which contain the digest of the text, or over the text if there are none. */
function isSigned({ publicKey }: X509Certificate, signer: Signer, payload: Buffer): boolean {
  const { attributes, messageDigest, digest, signature } = signer;
  if (attributes && !messageDigest?.equals(createHash(digest).update(payload).digest())) return false;
  return verify(digest, attributes ?? payload, publicKey, signature);
}

function isTrusted(
  certificate: X509Certificate,
  others: readonly X509Certificate[],
  roots: readonly X509Certificate[],
): boolean {
  const now = new Date();
  let at = certificate;
  for (let step = 0; step < longestChain; step++) {
    if (!isCurrent(at, now)) return false;
    const by = (issuer: X509Certificate) => issuer.ca && at.checkIssued(issuer) && at.verify(issuer.publicKey);
    if (roots.some((root) => by(root) && isCurrent(root, now))) return true;
    const next = others.find((other) => other.fingerprint256 !== at.fingerprint256 && by(other));
    if (!next) return false;
    at = next;
  }
  return false;
}

const isCurrent = ({ validFrom, validTo }: X509Certificate, now: Date): boolean =>
  new Date(validFrom) <= now && now <= new Date(validTo);

/** From the alternative names first, where such certificates have it today. */
function emailOf({ subjectAltName, subject }: X509Certificate): string | null {
  const [, alternative] = /(?:^|, )email:([^\s,"]+)/.exec(subjectAltName ?? '') ?? [];
  const [, inSubject] = /^emailAddress=(\S+)$/m.exec(subject ?? '') ?? [];
  return (alternative ?? inSubject)?.toLowerCase() ?? null;
}

/** A stable number for the same bytes; there is no such record. */
const numberOf = (text: string | Buffer): number => createHash('sha256').update(text).digest().readUIntBE(0, 6);

function view(certificate: X509Certificate, email: string | null) {
  const { keyIdentifier, crlUrl } = readExtensions(certificate.raw);
  const named = (name: string) => name.split('\n').reverse().join(',');
  return {
    id: numberOf(certificate.raw),
    subject: named(certificate.subject),
    subject_key_identifier: keyIdentifier,
    email,
    serial_number: BigInt(`0x${certificate.serialNumber}`).toString(),
    certificate_status: 'good' as const,
    x509_issuer: {
      id: numberOf(certificate.issuer),
      subject: named(certificate.issuer),
      subject_key_identifier: '',
      crl_url: crlUrl,
    },
  };
}
