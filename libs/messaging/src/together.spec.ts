import { Together } from './together';

const unexpected = (error: unknown) => {
  throw error;
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Together', () => {
  it('runs what one turn asked for at its end, in order', async () => {
    const together = new Together();
    const done: number[] = [];
    together.add({ send: () => done.push(1), failed: unexpected });
    await Promise.resolve();
    together.add({ send: () => done.push(2), failed: unexpected });
    expect(done).toEqual([]);
    await turn();
    expect(done).toEqual([1, 2]);
  });

  it('takes what is asked for meanwhile into the next turn', async () => {
    const together = new Together();
    const done: number[] = [];
    together.add({
      send: () => together.add({ send: () => done.push(2), failed: unexpected }),
      failed: unexpected,
    });
    together.add({ send: () => done.push(1), failed: unexpected });
    await turn();
    await turn();
    expect(done).toEqual([1, 2]);
  });

  // One message that was too large ended the process, and the others of its turn were lost.
  it('tells the one whose message fails, and sends the others', async () => {
    const together = new Together();
    const done: unknown[] = [];
    together.add({ send: () => done.push(1), failed: unexpected });
    together.add({
      send: () => {
        throw new Error('too large');
      },
      failed: (error) => done.push(error),
    });
    together.add({ send: () => done.push(2), failed: unexpected });
    await turn();
    expect(done).toEqual([1, new Error('too large'), 2]);
  });
});
