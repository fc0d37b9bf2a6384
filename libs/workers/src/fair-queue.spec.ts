import { FairQueue, type FairQueueOptions } from './fair-queue';

const queueOf = (options: FairQueueOptions) =>
  new FairQueue(options, (reason) => Object.assign(new Error(reason), { reason }));

describe('FairQueue', () => {
  it('lets so many work, the rest in order, and refuses beyond the line', async () => {
    const queue = queueOf({ places: 1, maxWaiting: 2 });
    const first = await queue.acquire();
    const order: number[] = [];
    const waiting = [1, 2].map((n) => queue.acquire().finally(() => order.push(n)));
    await expect(queue.acquire()).rejects.toMatchObject({ reason: 'busy' });
    expect(queue.counts).toEqual({ running: 1, waiting: 2 });
    first.release();
    (await waiting[0]!).release();
    (await waiting[1]!).release();
    expect(order).toEqual([1, 2]);
    expect(queue.counts).toEqual({ running: 0, waiting: 0 });
  });

  it('forgets callers who leave', async () => {
    const queue = queueOf({ places: 1 });
    const { release } = await queue.acquire('ada');
    const gone = new AbortController();
    const waiting = queue.acquire('ada', gone.signal);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ reason: 'cancelled' });
    release();
    release();
    expect(queue.counts).toEqual({ running: 0, waiting: 0 });
    await expect(queue.acquire('ada', gone.signal)).rejects.toMatchObject({ reason: 'cancelled' });
  });

  it('reserves slots for others, whatever one caller requests', async () => {
    const queue = queueOf({ places: 4, share: 2, maxWaiting: 300 });
    const greedy = Array.from({ length: 200 }, () => queue.acquire('mallory'));
    expect(queue.counts).toEqual({ running: 2, waiting: 198 });
    const place = await queue.acquire('ada');
    expect(place.nth).toBe(1);
    expect((await greedy[1]!).nth).toBe(2);
    expect(queue.counts.running).toBe(3);
  });

  it('alternates between callers if all slots are used', async () => {
    const queue = queueOf({ places: 1 });
    const first = await queue.acquire('mallory');
    const order: string[] = [];
    const take = async (who: string) => {
      const { release } = await queue.acquire(who);
      order.push(who);
      release();
    };
    const all = [take('mallory'), take('mallory'), take('mallory'), take('ada'), take('bea')];
    first.release();
    await Promise.all(all);
    expect(order).toEqual(['mallory', 'ada', 'bea', 'mallory', 'mallory']);
  });

  it('stores nothing for refused callers', async () => {
    const queue = queueOf({ places: 1, maxWaiting: 1 });
    const callers = Array.from({ length: 11 }, (_, n) => queue.acquire(`caller ${n}`));
    for (let n = 0; n < 100; n++) {
      await expect(queue.acquire(`late ${n}`)).rejects.toMatchObject({ reason: 'busy' });
    }
    expect(queue.callers).toBe(11);
    for (const place of callers) (await place).release();
    expect(queue.callers).toBe(0);
  });

  it('refuses a caller that has waited too long', async () => {
    const queue = queueOf({ places: 1, waitMs: 10 });
    const { release } = await queue.acquire('ada');
    await expect(queue.acquire('ada')).rejects.toMatchObject({ reason: 'busy' });
    release();
    expect(queue.counts).toEqual({ running: 0, waiting: 0 });
  });
});
