import { utils } from 'ssh2';
import { newSshKeyPair } from './ssh-key-pair';

describe('newSshKeyPair', () => {
  it('makes no pair that cannot be read', () => {
    // One in some 250 would be broken: among 2000, the chance to meet none is below one in a thousand.
    const pairs = Array.from({ length: 2000 }, () => newSshKeyPair('ed25519'));
    expect(
      pairs.flatMap((pair) => [pair.private, pair.public]).filter((key) => utils.parseKey(key) instanceof Error),
    ).toEqual([]);
  });

  it.each([
    ['ed25519', 'ssh-ed25519'],
    ['ecdsa', 'ecdsa-sha2-nistp256'],
  ] as const)('makes keys of kind %s', (kind, type) => {
    expect(newSshKeyPair(kind, 'a note').public).toMatch(new RegExp(`^${type} \\S+ a note$`));
  });
});
