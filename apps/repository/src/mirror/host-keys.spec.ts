import { newSshKeyPair } from '@moothall/secrets';
import { fingerprintsOf, knownHostsOf } from './host-keys';
import { maskedUrl } from './remote-mirror.view';

const [type, base64] = newSshKeyPair('ed25519', 'server').public.split(' ') as [string, string];

it('writes keys as ssh reads them, with a port if it is not the default', () => {
  const line = (url: string) => knownHostsOf(new URL(url), [` ${type} ${base64} a comment`]);
  expect(line('ssh://git@example.com/a')).toBe(`example.com ${type} ${base64}\n`);
  expect(line('ssh://git@example.com:22/a')).toBe(`example.com ${type} ${base64}\n`);
  expect(line('ssh://git@example.com:2222/a')).toBe(`[example.com]:2222 ${type} ${base64}\n`);
  expect(knownHostsOf(new URL('ssh://example.com/a'), [])).toBe('');
});

it.each(['', 'ssh-ed25519', `${base64}`, `@revoked${' '}${base64}`, `ssh-ed25519 ${'A'.repeat(20)}`])(
  'refuses %j as a key',
  (key) => {
    expect(() => knownHostsOf(new URL('ssh://example.com/a'), [key])).toThrow(
      expect.objectContaining({ value: expect.objectContaining({ code: 'mirror.host_key_invalid' }) }),
    );
  },
);

it('shows keys by fingerprint', () => {
  const known = knownHostsOf(new URL('ssh://example.com/a'), [`${type} ${base64}`, `${type} ${base64}`]);
  expect(fingerprintsOf(known)).toHaveLength(2);
  expect(fingerprintsOf(known)[0]).toMatch(/^SHA256:[\w+/]{43}$/);
  expect(fingerprintsOf('')).toEqual([]);
});

it.each([
  ['https://ada:secret@example.com/a.git', 'https://*****:*****@example.com/a.git'],
  ['https://ada@example.com/a.git', 'https://*****@example.com/a.git'],
  ['https://example.com/a.git', 'https://example.com/a.git'],
])('shows %s as %s', (url, shown) => {
  expect(maskedUrl(new URL(url))).toBe(shown);
});
