import { parsePublicKey, UnusableKey } from './parse-public-key';

// Made with ssh-keygen; the fingerprints are what `ssh-keygen -l` prints for them.
const ed25519 = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIL829s/0wz8YIURPvrF4z71ZOI3Nwu+hxSQ1++/yqMmU';
const ecdsa =
  'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBEoM0vM6G/awruz2dH0YWEJBjkc6VG7aWx5og7hz4ELhxo204xuVfifMI+/u07AZaDN5096ot5W7us04Mndkhvc=';
const rsa1024 =
  'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQCrSTdIo9WBIwxmNUi410tNRlpKUaaVN0ACAsoeZmcsCGICIANGYk7lc4NGgt5gRDTqIqta7LQDBIl1PC0Qiwn5nX67iwR2uihF1WUfZbZvnrwvGcbrGAqhyyspnfxge1D2TRvKHz2teQu75PpQDTvVpqR0FKLif1nGTRCr4EaWaw==';

function problemsOf(text: string): Record<string, string[]> {
  try {
    parsePublicKey(text);
  } catch (error) {
    if (error instanceof UnusableKey) return error.problems;
    throw error;
  }
  throw new Error('it was taken for a key');
}

describe('parsePublicKey', () => {
  it('returns the fingerprints of OpenSSH', () => {
    expect(parsePublicKey(ed25519)).toMatchObject({
      md5: '4e:2c:c5:ff:1c:27:d4:16:8d:ec:db:4b:9f:09:e1:97',
      sha256: 'SHA256:EasPuEIWNbSpnX9H5Qwt2C5SnbBca6mjs/DL8RoW9xQ',
    });
    expect(parsePublicKey(ecdsa).sha256).toBe('SHA256:NDnCh0PhhqICJSiGPzZNe4shC/w0iyE/u1wPsppvTJk');
  });

  it('keeps the comment and trims white space', () => {
    expect(parsePublicKey(`  ${ed25519}   ann at home \n`).text).toBe(`${ed25519} ann at home`);
  });

  it('refuses RSA keys that are too short', () => {
    expect(problemsOf(rsa1024)).toEqual({ key: ['length is forbidden. Must be at least 2048 bits'] });
  });

  it.each([
    '',
    'hello',
    'ssh-ed25519',
    'ssh-ed25519 %%%%',
    `ssh-rsa ${ed25519.split(' ')[1]}`,
    ed25519.slice(0, -8),
    'ssh-ed25519 AAAA////',
    '-----BEGIN OPENSSH PRIVATE KEY-----',
    `sk-ssh-ed25519@openssh.com ${ed25519.split(' ')[1]}`,
  ])('refuses an invalid key: %j', (text) => {
    expect(problemsOf(text)).toEqual({ key: ['is invalid'], fingerprint: ['cannot be generated'] });
  });
});
