import { ConnectionShares } from './connection-shares';

describe('ConnectionShares', () => {
  it('gives each caller their share, and others theirs', () => {
    const shares = new ConnectionShares(2);
    expect([1, 2, 3].map(() => shares.take('a'))).toEqual([true, true, false]);
    expect(shares.take('b')).toBe(true);
    shares.give('a');
    expect([shares.take('a'), shares.take('a')]).toEqual([true, false]);
  });
});
