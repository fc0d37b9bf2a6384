import { workInSlots } from './work-in-slots';

/** Work that ends on request, and the most that ran at the same time. */
function workOf(items: number[]) {
  const waiting = [...items];
  const seen = { done: [] as number[], most: 0, now: 0 };
  const work = async (item: number) => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await new Promise(setImmediate);
    seen.now -= 1;
    seen.done.push(item);
  };
  return { seen, work, next: async () => waiting.splice(0, 4) };
}

it('runs all tasks, as many concurrently as there are slots', async () => {
  const { seen, work, next } = workOf([1, 2, 3, 4, 5, 6, 7]);
  await workInSlots({ capacity: async () => 3, next, work });
  expect(seen.done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(seen.most).toBe(3);
});

it('starts nothing more after an abort, and waits for running work', async () => {
  const { seen, work, next } = workOf([1, 2, 3, 4, 5]);
  const ending = new AbortController();
  await workInSlots(
    {
      capacity: async () => 2,
      next,
      work: (item) => {
        ending.abort();
        return work(item);
      },
    },
    ending.signal,
  );
  expect(seen).toMatchObject({ done: [1, 2], now: 0 });
});

it('fails with the first failure, once nothing is at work any more', async () => {
  const { seen, work, next } = workOf([1, 2, 3]);
  const failing = async (item: number) => {
    if (item === 1) throw new Error('the first');
    await work(item);
  };
  await expect(workInSlots({ capacity: async () => 2, next, work: failing })).rejects.toThrow('the first');
  expect(seen).toMatchObject({ done: [2], now: 0 });
});
