import { Together } from './together';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('Together', () => {
  it('runs what one turn asked for at its end, in order', async () => {
    const together = new Together();
    const done: number[] = [];
    together.add(() => done.push(1));
    await Promise.resolve();
    together.add(() => done.push(2));
    expect(done).toEqual([]);
    await turn();
    expect(done).toEqual([1, 2]);
  });

  it('takes what is asked for meanwhile into the next turn', async () => {
    const together = new Together();
    const done: number[] = [];
    together.add(() => together.add(() => done.push(2)));
    together.add(() => done.push(1));
    await turn();
    await turn();
    expect(done).toEqual([1, 2]);
  });
});
