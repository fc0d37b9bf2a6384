import { batchesOf } from './batches';

const MB = 1024 ** 2;

async function sizesOf(sizes: number[]): Promise<number[][]> {
  async function* documents() {
    for (const size of sizes) yield Buffer.alloc(size);
  }
  const batches: number[][] = [];
  for await (const batch of batchesOf(documents())) batches.push(batch.map(({ length }) => length));
  return batches;
}

describe('batches', () => {
  it('end with the document that fills them, by bytes or by number', async () => {
    expect(await sizesOf([MB, MB, MB, MB, MB])).toEqual([[MB, MB, MB, MB], [MB]]);
    expect(await sizesOf([16 * MB, 1])).toEqual([[16 * MB], [1]]);
    const many = await sizesOf(Array.from({ length: 2001 }, () => 5));
    expect(many.map(({ length }) => length)).toEqual([1000, 1000, 1]);
  });

  it('are empty for an empty collection', async () => {
    expect(await sizesOf([])).toEqual([]);
  });
});
