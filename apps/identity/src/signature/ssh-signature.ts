import { createHash, createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';

/** A signature of `ssh-keygen -Y sign`. Source: OpenSSH PROTOCOL.sshsig. */
export interface SshSignature {
  /** The signing key, in the form of `authorized_keys`. */
  key: Buffer;
  namespace: string;
  hash: 'sha256' | 'sha512';
  reserved: Buffer;
  signature: Buffer;
}

const magic = 'SSHSIG';
const begin = '-----BEGIN SSH SIGNATURE-----';
const end = '-----END SSH SIGNATURE-----';

class NoSignature extends Error {}

/** @returns undefined for any other text */
export function readSshSignature(text: string): SshSignature | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(begin) || !trimmed.endsWith(end)) return undefined;
  const bytes = Buffer.from(trimmed.slice(begin.length, -end.length), 'base64');
  if (bytes.toString('latin1', 0, magic.length) !== magic) return undefined;
  if (bytes.length < magic.length + 4 || bytes.readUInt32BE(magic.length) !== 1) return undefined;
  try {
    const fields = new Fields(bytes.subarray(magic.length + 4));
    const [key, namespace, reserved, hash] = [fields.next(), fields.next(), fields.next(), fields.next().toString()];
    if (hash !== 'sha256' && hash !== 'sha512') return undefined;
    return { key, namespace: namespace.toString(), reserved, hash, signature: fields.next() };
  } catch (error) {
    if (error instanceof NoSignature) return undefined;
    throw error;
  }
}

/** Whether it is a valid git signature of exactly this text, by the key in it. */
export function isSshSignatureOf(signed: SshSignature, payload: Buffer): boolean {
  if (signed.namespace !== 'git') return false;
  const digest = createHash(signed.hash).update(payload).digest();
  const text = [signed.namespace, signed.reserved, signed.hash, digest].map((part) => field(Buffer.from(part)));
  try {
    return isSigned(signed.key, signed.signature, Buffer.concat([Buffer.from(magic), ...text]));
  } catch {
    // A form of key or signature that Node does not support.
    return false;
  }
}

function isSigned(key: Buffer, signature: Buffer, text: Buffer): boolean {
  const [ofKey, ofSignature] = [new Fields(key), new Fields(signature)];
  const type = ofKey.next().toString();
  const form = ofSignature.next().toString();
  const signed = ofSignature.next();
  switch (type) {
    case 'ssh-ed25519':
      return form === type && verify(null, text, ed25519(ofKey.next()), signed);
    case 'sk-ssh-ed25519@openssh.com': {
      const made = ed25519(ofKey.next());
      return form === type && verify(null, onDevice(ofKey.next(), ofSignature.rest(), text), made, signed);
    }
    case 'ssh-rsa': {
      const [e, n] = [ofKey.next(), ofKey.next()];
      const hash = { 'rsa-sha2-256': 'sha256', 'rsa-sha2-512': 'sha512' }[form];
      return hash !== undefined && verify(hash, text, rsa(n, e), signed);
    }
    case 'sk-ecdsa-sha2-nistp256@openssh.com': {
      const [curve, point, application] = [ofKey.next().toString(), ofKey.next(), ofKey.next()];
      return (
        form === type &&
        curve === 'nistp256' &&
        isEcdsa('256', point, onDevice(application, ofSignature.rest(), text), signed)
      );
    }
    default: {
      const [, size] = /^ecdsa-sha2-nistp(256|384|521)$/.exec(type) ?? [];
      if (size === undefined || form !== type) return false;
      const [curve, point] = [ofKey.next().toString(), ofKey.next()];
      return curve === `nistp${size}` && isEcdsa(size as keyof typeof curves, point, text, signed);
    }
  }
}

/** The bytes that a security key signs: PROTOCOL.u2f. @param proof flags and counter, which follow the signature */
const onDevice = (application: Buffer, proof: Buffer, text: Buffer): Buffer =>
  Buffer.concat([
    createHash('sha256').update(application).digest(),
    proof.subarray(0, 5),
    createHash('sha256').update(text).digest(),
  ]);

const url = (bytes: Buffer): string => bytes.toString('base64url');
const keyOf = (key: JsonWebKey): KeyObject => createPublicKey({ key, format: 'jwk' });
const ed25519 = (x: Buffer): KeyObject => keyOf({ kty: 'OKP', crv: 'Ed25519', x: url(x) });
const rsa = (n: Buffer, e: Buffer): KeyObject => keyOf({ kty: 'RSA', n: url(unsigned(n)), e: url(unsigned(e)) });

const curves = {
  '256': { hash: 'sha256', bytes: 32 },
  '384': { hash: 'sha384', bytes: 48 },
  '521': { hash: 'sha512', bytes: 66 },
} as const;

function isEcdsa(size: keyof typeof curves, point: Buffer, text: Buffer, signed: Buffer): boolean {
  const { hash, bytes } = curves[size];
  if (point[0] !== 4 || point.length !== 1 + 2 * bytes) return false;
  const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)];
  const key = keyOf({ kty: 'EC', crv: `P-${size}`, x: url(x), y: url(y) });
  const numbers = new Fields(signed);
  const both = Buffer.concat([padded(numbers.next(), bytes), padded(numbers.next(), bytes)]);
  return verify(hash, text, { key, dsaEncoding: 'ieee-p1363' }, both);
}

/** Numbers have a leading zero byte if their first bit is set. */
const unsigned = (number: Buffer): Buffer => (number[0] === 0 ? number.subarray(1) : number);

function padded(number: Buffer, length: number): Buffer {
  const bytes = unsigned(number);
  if (bytes.length > length) throw new NoSignature();
  return Buffer.concat([Buffer.alloc(length - bytes.length), bytes]);
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Strings with a length prefix of four bytes. */
class Fields {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  next(): Buffer {
    const from = this.at + 4;
    const to = from + (from <= this.bytes.length ? this.bytes.readUInt32BE(this.at) : 0);
    if (from > this.bytes.length || to > this.bytes.length) throw new NoSignature();
    this.at = to;
    return this.bytes.subarray(from, to);
  }

  rest(): Buffer {
    return this.bytes.subarray(this.at);
  }
}
