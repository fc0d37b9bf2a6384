import type { Signature } from 'openpgp';
import { judgeGpgSignature } from './gpg-signature';

/* Keys whose self-signatures would take minutes to verify. Valid ones: test/signatures.spec.ts. */

const mpi = (bits: number): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bits);
  return Buffer.concat([length, Buffer.alloc(bits / 8, 0xff)]);
};

function packet(tag: number, body: Buffer): Buffer {
  const head = Buffer.from([0xc0 | tag, 255, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length, 2);
  return Buffer.concat([head, body]);
}

function armoredKey(algorithm: number, ...numbers: Buffer[]): string {
  const key = packet(6, Buffer.concat([Buffer.from([4, 0, 0, 0, 1, algorithm]), ...numbers]));
  const bytes = Buffer.concat([key, packet(13, Buffer.from('Ada <ada@example.com>'))]);
  const kind = 'PGP PUBLIC KEY BLOCK';
  return [`-----BEGIN ${kind}-----`, '', bytes.toString('base64'), `-----END ${kind}-----`].join('\n');
}

const signature = { packets: [{ issuerKeyID: { toHex: () => '00000000000000aa' } }] } as unknown as Signature;

it.each([
  ['DSA of 60,000 bits', armoredKey(17, mpi(60_000), mpi(60_000), mpi(60_000), mpi(60_000))],
  ['RSA of 32,768 bits', armoredKey(1, mpi(32_768), mpi(24))],
])('a key of %s is not parsed', async (_, key) => {
  const holder = { id: 1, key, emails: new Set(['ada@example.com']) };
  expect(await judgeGpgSignature(signature, Buffer.from('x'), holder, 'ada@example.com')).toMatchObject({
    verification_status: 'unverified_key',
    gpg_key_id: 1,
    // From the signature; the id of the key is shown only after verification.
    gpg_key_primary_keyid: '00000000000000AA',
  });
});
