import { ProcessLimiter } from './limit-processes';

it('lets so many run, the rest in order, and refuses beyond the line', async () => {
  const limiter = new ProcessLimiter(1, 2);
  const first = await limiter.acquire();
  const order: number[] = [];
  const waiting = [1, 2].map((n) => limiter.acquire().finally(() => order.push(n)));
  await expect(limiter.acquire()).rejects.toMatchObject({ reason: 'busy' });
  expect(limiter.counts).toEqual({ running: 1, waiting: 2 });
  first();
  (await waiting[0]!)();
  (await waiting[1]!)();
  expect(order).toEqual([1, 2]);
  expect(limiter.counts).toEqual({ running: 0, waiting: 0 });
});

it('forgets those who leave the line', async () => {
  const limiter = new ProcessLimiter(1, 5);
  const release = await limiter.acquire();
  const gone = new AbortController();
  const waiting = limiter.acquire(gone.signal);
  gone.abort();
  await expect(waiting).rejects.toMatchObject({ reason: 'cancelled' });
  release();
  release();
  expect(limiter.counts).toEqual({ running: 0, waiting: 0 });
  await expect(limiter.acquire(gone.signal)).rejects.toMatchObject({ reason: 'cancelled' });
});
