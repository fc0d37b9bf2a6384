import { Together } from './together';

const unexpected = (error: unknown) => {
  throw error;
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Together', () => {
  it('runs what one turn asked for at its end, in order', async () => {
    const together = new Together();
    const done: number[] = [];
    together.add(() => done.push(1), unexpected);
    await Promise.resolve();
    together.add(() => done.push(2), unexpected);
    expect(done).toEqual([]);
    await turn();
    expect(done).toEqual([1, 2]);
  });

  it('takes what is asked for meanwhile into the next turn', async () => {
    const together = new Together();
    const done: number[] = [];
    together.add(() => together.add(() => done.push(2), unexpected), unexpected);
    together.add(() => done.push(1), unexpected);
    await turn();
    await turn();
    expect(done).toEqual([1, 2]);
  });

  // A3: one message that was too large ended the process, and the others of its turn were lost.
  it('tells the one whose message fails, and sends the others', async () => {
    const together = new Together();
    const done: unknown[] = [];
    together.add(() => done.push(1), unexpected);
    together.add(
      () => {
        throw new Error('too large');
      },
      (error) => done.push(error),
    );
    together.add(() => done.push(2), unexpected);
    await turn();
    expect(done).toEqual([1, new Error('too large'), 2]);
  });
});
