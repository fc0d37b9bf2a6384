import { batched, TurnBatcher } from './batcher';

describe('batched', () => {
  it('returns to each call its own answer', async () => {
    const double = batched(async (items: number[]) => items.map((item) => item * 2));
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(await double(4)).toBe(8);
  });

  it('runs batches of two turns concurrently, unless they are limited', async () => {
    let atWork = 0;
    let most = 0;
    const work = async (items: number[]) => {
      most = Math.max(most, ++atWork);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      atWork--;
      return items;
    };
    const twoTurns = async (call: (item: number) => Promise<number>) => {
      const first = call(1);
      await new Promise(setImmediate);
      await Promise.all([first, call(2)]);
    };
    await twoTurns(batched(work));
    expect(most).toBe(2);
    most = 0;
    await twoTurns(batched(work, { most: 10 }));
    expect(most).toBe(1);
  });

  it('collects calls into the next batch while a limited one runs', async () => {
    const batches: number[][] = [];
    let release: (() => void) | undefined;
    const call = batched(
      async (items: number[]) => {
        batches.push(items);
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return items;
      },
      { most: 10 },
    );
    const first = call(1);
    await new Promise(setImmediate);
    const others = [call(2), call(3)];
    await new Promise(setImmediate);
    release!();
    await first;
    await new Promise(setImmediate);
    release!();
    await Promise.all(others);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('limits the size of a batch', async () => {
    const sizes: number[] = [];
    const call = batched(
      async (items: number[]) => {
        sizes.push(items.length);
        return items;
      },
      { most: 2 },
    );
    await Promise.all([1, 2, 3, 4, 5].map(call));
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('collects calls for the given time', async () => {
    const batches: number[][] = [];
    const call = batched(
      async (items: number[]) => {
        batches.push(items);
        return items;
      },
      { forMs: 500 },
    );
    const first = call(1);
    await new Promise(setImmediate);
    await Promise.all([first, call(2)]);
    await call(3);
    expect(batches).toEqual([[1, 2], [3]]);
  });

  it('fails one call, or all calls of a failed batch', async () => {
    const odd = batched(async (items: number[]) => items.map((item) => (item % 2 ? item : new Error(`${item}`))));
    const settled = await Promise.allSettled([1, 2].map(odd));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const broken = batched(async (): Promise<number[]> => {
      throw new Error('away');
    });
    await expect(Promise.all([broken(1), broken(2)])).rejects.toThrow('away');
    await expect(broken(3)).rejects.toThrow('away');
  });
});

describe('TurnBatcher', () => {
  it('passes on the calls of a turn, and later ones in the next turn', async () => {
    const handed: number[][] = [];
    const turn = new TurnBatcher<number>((items) => {
      handed.push(items);
      if (items.includes(2)) turn.add(3);
    });
    turn.add(1);
    await Promise.resolve();
    turn.add(2);
    expect(handed).toEqual([]);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(handed).toEqual([[1, 2], [3]]);
  });
});
