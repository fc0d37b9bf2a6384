import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** The public half of a new key in OpenSSH format; tests need unique keys. */
export function newEd25519(comment = 'test'): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return `ssh-ed25519 ${blobOf(Buffer.from('ssh-ed25519'), raw)} ${comment}`;
}

export function newRsa(bits: number): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const { n, e } = publicKey.export({ format: 'jwk' });
  const modulus = Buffer.concat([Buffer.alloc(1), Buffer.from(n!, 'base64url')]);
  return `ssh-rsa ${blobOf(Buffer.from('ssh-rsa'), Buffer.from(e!, 'base64url'), modulus)}`;
}

/** A public key of a security key. */
export function newSecurityKey(): string {
  const type = 'sk-ssh-ed25519@openssh.com';
  const raw = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return `${type} ${blobOf(Buffer.from(type), raw, Buffer.from('ssh:'))}`;
}

export const nonsense = (): string => `ssh-ed25519 ${randomBytes(40).toString('base64')}`;

function blobOf(...fields: Buffer[]): string {
  const parts = fields.flatMap((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(field.length);
    return [length, field];
  });
  return Buffer.concat(parts).toString('base64');
}

/** A new GPG key with the packets that are checked: without key material and signatures. */
export function newGpgKey(): string {
  const packet = (tag: number, body: Buffer) => Buffer.concat([Buffer.from([0xc0 | tag, body.length]), body]);
  const key = packet(6, Buffer.concat([Buffer.from([4, 0, 0, 0, 0, 22]), randomBytes(32)]));
  const bytes = Buffer.concat([key, packet(13, Buffer.from('Ada <ada@example.com>'))]);
  const kind = 'PGP PUBLIC KEY BLOCK';
  return [`-----BEGIN ${kind}-----`, '', bytes.toString('base64'), `-----END ${kind}-----`].join('\n');
}
