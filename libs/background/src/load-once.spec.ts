import { loadOnce } from './load-once';

describe('loadOnce', () => {
  it('loads once for all callers, also concurrent ones', async () => {
    let count = 0;
    const read = loadOnce(async () => ++count);
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    expect(await read()).toBe(1);
  });

  it('retries after a failure, which rejects all waiting callers', async () => {
    let count = 0;
    const read = loadOnce(async () => {
      if (++count === 1) throw new Error('away');
      return count;
    });
    const outcomes = await Promise.allSettled([read(), read()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read()).toBe(2);
  });
});
