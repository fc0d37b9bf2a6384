import { EventedCache } from './evented-cache';

describe('EventedCache', () => {
  const open = () => new EventedCache<{ id: number }>({ max: 10, seconds: 60 });

  it('sends one request for concurrent and later calls', async () => {
    const cache = open();
    const ask = jest.fn(async () => ({ id: 1 }));
    await Promise.all([cache.get('a', ask), cache.get('a', ask)]);
    await cache.get('a', ask);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('caches nothing if the service forbids it, but sends one request at a time', async () => {
    const cache = new EventedCache<{ id: number }>({ max: 10, seconds: 0 });
    const ask = jest.fn(async () => ({ id: 1 }));
    await Promise.all([cache.get('a', ask), cache.get('a', ask)]);
    await cache.get('a', ask);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('does not cache a refusal', async () => {
    const cache = open();
    await expect(cache.get('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(cache.get('a', async () => ({ id: 1 }))).resolves.toEqual({ id: 1 });
  });

  it('invalidates only what an event changes', async () => {
    const cache = open();
    await cache.get('a', async () => ({ id: 1 }));
    await cache.get('b', async () => ({ id: 2 }));
    cache.drop((value) => value.id === 1);
    const again = jest.fn(async () => ({ id: 3 }));
    expect([await cache.get('a', again), await cache.get('b', again)]).toEqual([{ id: 3 }, { id: 2 }]);
  });

  it('does not cache an answer that was requested before an event arrived', async () => {
    const cache = open();
    let answer = (_: { id: number }) => {};
    const early = cache.get(
      'a',
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    cache.drop(() => false);
    answer({ id: 1 });
    await expect(early).resolves.toEqual({ id: 1 });
    await expect(cache.get('a', async () => ({ id: 2 }))).resolves.toEqual({ id: 2 });
  });
});
