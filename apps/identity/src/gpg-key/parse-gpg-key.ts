import { createHash } from 'node:crypto';

/** A public key in OpenPGP format. Source: RFC 4880. */
export interface ParsedGpgKey {
  text: string;
  /** Of the primary key, 40 hex digits. */
  fingerprint: string;
  /** The last 16 digits of each fingerprint, for it and its subkeys. */
  keyIds: string[];
}

export class UnusableGpgKey extends Error {
  constructor(readonly problems: Record<string, string[]>) {
    super('unusable GPG key');
  }
}

const begin = '-----BEGIN PGP PUBLIC KEY BLOCK-----';
const end = '-----END PGP PUBLIC KEY BLOCK-----';
/** Limit of packets: a key contains signatures of others, but not this many. */
export const mostPackets = 2000;
/** RFC 4880 4.3: signature, public key, trust, user id, public subkey, user attribute. */
const tags = { publicKey: 6, userId: 13, subkey: 14 };
const allowedTags = new Set([2, tags.publicKey, 12, tags.userId, tags.subkey, 17]);

const isInvalid = () => new UnusableGpgKey({ key: ['is invalid'], fingerprint: ["can't be blank"] });

/** @throws UnusableGpgKey for text that is not exactly one public key, or contains a private key */
export function parseGpgKey(text: string): ParsedGpgKey {
  const key = text.trim();
  if (!key.startsWith(begin) || !key.endsWith(end))
    throw new UnusableGpgKey({ key: [`must start with '${begin}', and end with '${end}'`] });
  const packets = packetsOf(unarmor(key.slice(begin.length, -end.length)));
  const [primary, ...others] = packets;
  const isOne = primary?.tag === tags.publicKey && others.every(({ tag }) => tag !== tags.publicKey);
  if (!isOne || !others.some(({ tag }) => tag === tags.userId)) throw isInvalid();
  const fingerprint = fingerprintOf(primary.body);
  const subkeys = others.filter(({ tag }) => tag === tags.subkey).map(({ body }) => fingerprintOf(body));
  return { text: key, fingerprint, keyIds: [fingerprint, ...subkeys].map((each) => each.slice(-16)) };
}

/** RFC 4880 6.2: headers, a blank line, base64, and a checksum, which is optional. */
function unarmor(body: string): Buffer {
  const lines = body.split(/\r?\n/).map((line) => line.trim());
  const blank = lines.indexOf('', 1);
  const data = lines.slice(blank + 1).filter((line) => line !== '');
  const checksum = data.at(-1)?.startsWith('=') ? data.pop()?.slice(1) : undefined;
  const base64 = data.join('');
  const bytes = Buffer.from(base64, 'base64');
  // Node accepts invalid base64; this does not.
  if (blank < 0 || bytes.length === 0 || bytes.toString('base64') !== base64) throw isInvalid();
  if (checksum !== undefined && checksum !== crc24(bytes).toString('base64')) throw isInvalid();
  return bytes;
}

/** RFC 4880 6.1. */
function crc24(bytes: Buffer): Buffer {
  let crc = 0xb704ce;
  for (const byte of bytes) {
    crc ^= byte << 16;
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1;
      if (crc & 0x1000000) crc ^= 0x1864cfb;
    }
  }
  return Buffer.from([(crc >> 16) & 0xff, (crc >> 8) & 0xff, crc & 0xff]);
}

interface Packet {
  tag: number;
  body: Buffer;
}

function packetsOf(bytes: Buffer): Packet[] {
  const packets: Packet[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { tag, from, length } = headerAt(bytes, at);
    if (!allowedTags.has(tag) || packets.length === mostPackets || from + length > bytes.length) throw isInvalid();
    packets.push({ tag, body: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return packets;
}

/** RFC 4880 4.2; keys have no packets of partial or indeterminate length. */
function headerAt(bytes: Buffer, at: number): { tag: number; from: number; length: number } {
  const first = bytes[at] ?? 0;
  if ((first & 0x80) === 0) throw isInvalid();
  if ((first & 0x40) === 0) {
    const size = [1, 2, 4][first & 3];
    if (size === undefined) throw isInvalid();
    return { tag: (first >> 2) & 15, from: at + 1 + size, length: numberAt(bytes, at + 1, size) };
  }
  const tag = first & 63;
  const octet = numberAt(bytes, at + 1, 1);
  if (octet < 192) return { tag, from: at + 2, length: octet };
  if (octet < 224) return { tag, from: at + 3, length: ((octet - 192) << 8) + numberAt(bytes, at + 2, 1) + 192 };
  if (octet < 255) throw isInvalid();
  return { tag, from: at + 6, length: numberAt(bytes, at + 2, 4) };
}

function numberAt(bytes: Buffer, at: number, size: number): number {
  if (at + size > bytes.length) throw isInvalid();
  return bytes.readUIntBE(at, size);
}

/** RFC 4880 12.2, for keys of version 4, the only ones created for decades. */
function fingerprintOf(body: Buffer): string {
  if (body[0] !== 4 || body.length < 7 || body.length > 0xffff) throw isInvalid();
  const length = Buffer.alloc(3, 0x99);
  length.writeUInt16BE(body.length, 1);
  return createHash('sha1').update(length).update(body).digest('hex');
}
