import { payload, ssh } from './signatures.fixtures';
import { isSshSignatureOf, readSshSignature } from './ssh-signature';

const signed = (text: string) => readSshSignature(text)!;
const base64 = (text: string) => text.split('\n').slice(1, -1).join('');
const armored = (bytes: Buffer) =>
  `-----BEGIN SSH SIGNATURE-----\n${bytes.toString('base64')}\n-----END SSH SIGNATURE-----`;

describe.each(Object.entries(ssh))('a signature by %s', (_kind, { key, signature }) => {
  it('is valid for the signed data, by its key', () => {
    const read = signed(signature);
    expect(read.key.toString('base64')).toBe(key.split(' ')[1]);
    expect(isSshSignatureOf(read, payload)).toBe(true);
  });

  it('is invalid for other data', () => {
    expect(isSshSignatureOf(signed(signature), Buffer.concat([payload, Buffer.from('x')]))).toBe(false);
    expect(isSshSignatureOf({ ...signed(signature), namespace: 'file' }, payload)).toBe(false);
    const { key: other } = signed(key.includes('ed25519') ? ssh.rsa.signature : ssh.ed25519.signature);
    expect(isSshSignatureOf({ ...signed(signature), key: other }, payload)).toBe(false);
  });

  it('is invalid if any byte is changed', () => {
    const bytes = Buffer.from(base64(signature), 'base64');
    for (let at = 0; at < bytes.length; at += 3) {
      const changed = Buffer.from(bytes);
      changed[at] = changed[at]! ^ 0x55;
      const read = readSshSignature(armored(changed));
      expect(read && isSshSignatureOf(read, payload)).toBeFalsy();
    }
  });

  it('is invalid if it is truncated', () => {
    const bytes = Buffer.from(base64(signature), 'base64');
    for (let length = 0; length < bytes.length; length++) {
      const read = readSshSignature(armored(bytes.subarray(0, length)));
      expect(read && isSshSignatureOf(read, payload)).toBeFalsy();
    }
  });
});

it.each(['', 'x', '-----BEGIN SSH SIGNATURE-----', '-----BEGIN PGP SIGNATURE-----\n-----END PGP SIGNATURE-----'])(
  'is not %p',
  (text) => expect(readSshSignature(text)).toBeUndefined(),
);
