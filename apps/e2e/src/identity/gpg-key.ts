import { randomBytes } from 'node:crypto';

/** A new GPG key, with the packets that are checked. */
export function newGpgKey(): string {
  const packet = (tag: number, body: Buffer) => Buffer.concat([Buffer.from([0xc0 | tag, body.length]), body]);
  const key = packet(6, Buffer.concat([Buffer.from([4, 0, 0, 0, 0, 22]), randomBytes(32)]));
  const bytes = Buffer.concat([key, packet(13, Buffer.from('Ada <ada@example.com>'))]);
  const kind = 'PGP PUBLIC KEY BLOCK';
  return [`-----BEGIN ${kind}-----`, '', bytes.toString('base64'), `-----END ${kind}-----`].join('\n');
}
