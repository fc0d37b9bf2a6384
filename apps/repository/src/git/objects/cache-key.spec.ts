import { cacheKey } from './cache-key';

describe('cacheKey', () => {
  it('is as long for whatever somebody asks', () => {
    expect(cacheKey(7, 'x'.repeat(1_000_000))).toHaveLength(cacheKey(7, '').length);
  });

  it('tells apart repositories, and what was asked, however it is cut', () => {
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
