import { gather } from './gather';

describe('gather', () => {
  it('answers each call with its own answer', async () => {
    const double = gather(async (items: number[]) => items.map((item) => item * 2));
    expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
    expect(await double(4)).toBe(8);
  });

  it('puts what comes while a batch runs into the next one', async () => {
    const batches: number[][] = [];
    let release: (() => void) | undefined;
    const call = gather(async (items: number[]) => {
      batches.push(items);
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return items;
    });
    const first = call(1);
    await new Promise(setImmediate);
    const others = [call(2), call(3)];
    release!();
    await first;
    await new Promise(setImmediate);
    release!();
    await Promise.all(others);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('keeps batches within their limit', async () => {
    const sizes: number[] = [];
    const call = gather(async (items: number[]) => {
      sizes.push(items.length);
      return items;
    }, 2);
    await Promise.all([1, 2, 3, 4, 5].map(call));
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('fails one call alone, or all of a batch that fails', async () => {
    const odd = gather(async (items: number[]) => items.map((item) => (item % 2 ? item : new Error(`${item}`))));
    const settled = await Promise.allSettled([1, 2].map(odd));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const broken = gather(async (): Promise<number[]> => {
      throw new Error('away');
    });
    await expect(Promise.all([broken(1), broken(2)])).rejects.toThrow('away');
    await expect(broken(3)).rejects.toThrow('away');
  });
});
