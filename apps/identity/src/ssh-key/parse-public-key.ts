import { createHash } from 'node:crypto';
import { parseKey } from 'sshpk';

export interface PublicKey {
  /** Type and base64, and a comment if there is one. */
  text: string;
  /** `ba:81:…`, 16 hex pairs. */
  md5: string;
  /** `SHA256:` and 43 characters of base64. */
  sha256: string;
}

const leastRsaBits = 2048;
const forbiddenType = 'type is forbidden. Must be RSA, ECDSA, or ED25519';
const plainTypes = new Set(['rsa', 'ecdsa', 'ed25519']);

/** Problems of a text that is not a usable key, by attribute, in the words of the API. */
export class UnusableKey extends Error {
  constructor(readonly problems: Record<string, string[]>) {
    super('unusable key');
  }
}

const isInvalid = () => new UnusableKey({ key: ['is invalid'], fingerprint: ['cannot be generated'] });

/** @throws UnusableKey */
export function parsePublicKey(text: string): PublicKey {
  const [type = '', base64 = '', ...comment] = text.trim().split(/\s+/);
  const blob = Buffer.from(base64, 'base64');
  // Node accepts invalid base64; this does not.
  if (blob.length === 0 || blob.toString('base64').replaceAll('=', '') !== base64.replace(/(?<!=)=+$/, ''))
    throw isInvalid();
  checkKind(type, blob);
  return {
    text: [type, base64, comment.join(' ')].filter(Boolean).join(' '),
    md5: createHash('md5')
      .update(blob)
      .digest('hex')
      .replace(/..(?!$)/g, '$&:'),
    sha256: `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`,
  };
}

function checkKind(type: string, blob: Buffer): void {
  const { kind, bits } = readKey(type, blob);
  if (!plainTypes.has(kind)) throw new UnusableKey({ key: [forbiddenType] });
  if (kind === 'rsa' && bits < leastRsaBits) {
    throw new UnusableKey({ key: [`length is forbidden. Must be at least ${leastRsaBits} bits`] });
  }
}

function readKey(type: string, blob: Buffer): { kind: string; bits: number } {
  try {
    const inner = innerKey(type, blob);
    const key = parseKey(`${inner.type} ${inner.blob.toString('base64')}`, 'ssh');
    return { kind: key.type, bits: key.size };
  } catch {
    throw isInvalid();
  }
}

/**
 * Keys on a security key are an ordinary type with another name, followed by an application string; the library
 * supports the ordinary types.
 * @see OpenSSH PROTOCOL.u2f
 */
function innerKey(type: string, blob: Buffer): { type: string; blob: Buffer } {
  const [, inner] = /^sk-(ssh-ed25519|ecdsa-sha2-nistp256)@openssh\.com$/.exec(type) ?? [];
  if (!inner) return { type, blob };
  const [name, ...rest] = fieldsOf(blob);
  if (name?.toString() !== type) throw isInvalid();
  return { type: inner, blob: Buffer.concat([Buffer.from(inner), ...rest.slice(0, -1)].flatMap(withLength)) };
}

/** The strings of a key, with a length prefix of four bytes each. */
function fieldsOf(blob: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length; ) {
    const length = blob.readUInt32BE(at);
    if (at + 4 + length > blob.length) throw isInvalid();
    fields.push(blob.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

function withLength(field: Buffer): Buffer[] {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(field.length);
  return [length, field];
}
