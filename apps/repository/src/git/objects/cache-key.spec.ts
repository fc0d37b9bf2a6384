import { cacheKey } from './cache-key';

describe('cacheKey', () => {
  it('has a constant length', () => {
    expect(cacheKey(7, 'x'.repeat(1_000_000))).toHaveLength(cacheKey(7, '').length);
  });

  it('differs for different repositories and parameters, however their parts are split', () => {
    const keys = [
      cacheKey(1, 'a', 'b'),
      cacheKey(2, 'a', 'b'),
      cacheKey(1, 'ab'),
      cacheKey(1, ['a', 'b']),
      cacheKey(1),
    ];
    expect(new Set(keys).size).toBe(keys.length);
  });
});
