import { parseGpgKey, UnusableGpgKey } from './parse-gpg-key';

/** Output of GnuPG 2.4. */
const lines = [
  '-----BEGIN PGP PUBLIC KEY BLOCK-----',
  '',
  'mDMEawZhxBYJKwYBBAHaRw8BAQdA/iEqsRCCN4gdllwODSq8w3Ab4AvX/xm9qC3O',
  'aYNxhL+0FUFkYSA8YWRhQGV4YW1wbGUuY29tPoiQBBMWCAA4FiEEhCHMD/S2rPNc',
  'zKOBzBzrhbQ+IYsFAmsGYcQCGwMFCwkIBwIGFQoJCAsCBBYCAwECHgECF4AACgkQ',
  'zBzrhbQ+IYu3WgEA+ucJqLWszmpYiBdS8DxbxnocVlzBI62Ev0bhPv7zosgBAKG8',
  'XoPuyMnvZ2BUnhxjTi8EWSItIMIscwrciu0vFecM',
  '=596i',
  '-----END PGP PUBLIC KEY BLOCK-----',
];
const key = lines.join('\n');
const base64 = lines.slice(2, -2).join('');

const armored = (bytes: Buffer) => [lines[0], '', bytes.toString('base64'), lines.at(-1)].join('\n');
/** A packet in the old and in the new format. */
const packet = (tag: number, body: Buffer) => Buffer.concat([Buffer.from([0x80 | (tag << 2), body.length]), body]);
const newPacket = (tag: number, ...rest: number[]) => Buffer.from([0xc0 | tag, ...rest]);
const publicKey = packet(6, Buffer.from([4, 0, 0, 0, 0, 1, 0]));
const userId = packet(13, Buffer.from('Ada'));

describe('a GPG key', () => {
  it.each([
    ['as it was written', key],
    ['with other ends of lines', key.replaceAll('\n', '\r\n')],
    ['with headers', key.replace('\n\n', '\nVersion: 1\nComment: x\n\n')],
    ['with blanks around', `  ${key}\n\n`],
    ['without its checksum', lines.toSpliced(-2, 1).join('\n')],
  ])('is read %s', (_, text) => expect(parseGpgKey(text).fingerprint).toBe('8421cc0ff4b6acf35ccca381cc1ceb85b43e218b'));

  it.each([
    ['old packets', Buffer.concat([publicKey, userId])],
    ['new packets', Buffer.concat([publicKey, newPacket(13, 1, 65)])],
    ['a long length', Buffer.concat([publicKey, newPacket(13, 192, 0), Buffer.alloc(192)])],
    ['a longer length', Buffer.concat([publicKey, newPacket(13, 255, 0, 0, 0, 1, 65)])],
  ])('is read with %s', (_, bytes) => expect(parseGpgKey(armored(bytes)).fingerprint).toMatch(/^[0-9a-f]{40}$/));

  it.each([
    ['nothing', ''],
    ['another block', key.replaceAll('PUBLIC', 'PRIVATE')],
    ['no blank line', lines.toSpliced(1, 1).join('\n')],
    ['no data', [lines[0], '', lines.at(-1)].join('\n')],
    ['what is no base64', key.replace('mDME', 'm!ME')],
    ['another checksum', key.replace('=596i', '=596j')],
    ['a missing byte', armored(Buffer.from(base64, 'base64').subarray(0, -1))],
    ['a private key', armored(Buffer.concat([packet(5, Buffer.from([4, 0, 0, 0, 0, 1, 0])), userId]))],
    ['two keys', armored(Buffer.concat([publicKey, userId, publicKey, userId]))],
    ['no user', armored(publicKey)],
    ['no key', armored(userId)],
    ['an old version', armored(Buffer.concat([packet(6, Buffer.from([3, 0, 0, 0, 0, 1, 0])), userId]))],
    ['a short key', armored(Buffer.concat([packet(6, Buffer.from([4])), userId]))],
    ['a length without end', armored(Buffer.concat([publicKey, Buffer.from([0x80 | (13 << 2) | 3, 65])]))],
    ['a partial length', armored(Buffer.concat([publicKey, newPacket(13, 224, 65)]))],
    ['a length past the end', armored(Buffer.concat([publicKey, newPacket(13, 255, 255, 255, 255, 255)]))],
    ['half a header', armored(Buffer.concat([publicKey, userId, newPacket(13)]))],
    ['no packet', armored(Buffer.from('hello'))],
    ['many packets', armored(Buffer.concat([publicKey, ...Array.from({ length: 3000 }, () => newPacket(13, 0))]))],
  ])('is not %s', (_, text) => expect(() => parseGpgKey(text)).toThrow(UnusableGpgKey));

  it('is found in linear time', () => {
    for (const text of [
      `${lines[0]}\n${'\n'.repeat(200_000)}${lines.at(-1)}`,
      `${lines[0]}\n\n${'='.repeat(200_000)}${lines.at(-1)}`,
    ])
      expect(() => parseGpgKey(text)).toThrow(UnusableGpgKey);
  });
});
