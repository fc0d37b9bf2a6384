import { networkOf, shareOf } from './share-of';

describe('shareOf', () => {
  const client = { ip: '192.0.2.7', userAgent: '' };

  it('separates callers by identity, and anonymous ones by address', () => {
    expect(shareOf({ caller: { id: 7 } as never, client })).toBe('user 7');
    expect(shareOf({ client }, 3)).toBe('key 3');
    expect(shareOf({ client })).toBe('address 192.0.2.7');
    expect(shareOf({})).toBeUndefined();
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
  ])('is %s for %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network);
  });
});
