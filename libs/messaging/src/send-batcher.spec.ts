import { SendBatcher } from './send-batcher';

const unexpected = (error: unknown) => {
  throw error;
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('SendBatcher', () => {
  it('sends the messages of a turn at its end, in order', async () => {
    const batcher = new SendBatcher();
    const done: number[] = [];
    batcher.add({ send: () => done.push(1), failed: unexpected });
    await Promise.resolve();
    batcher.add({ send: () => done.push(2), failed: unexpected });
    expect(done).toEqual([]);
    await turn();
    expect(done).toEqual([1, 2]);
  });

  it('sends later messages in the next turn', async () => {
    const batcher = new SendBatcher();
    const done: number[] = [];
    batcher.add({
      send: () => batcher.add({ send: () => done.push(2), failed: unexpected }),
      failed: unexpected,
    });
    batcher.add({ send: () => done.push(1), failed: unexpected });
    await turn();
    await turn();
    expect(done).toEqual([1, 2]);
  });

  // One message that was too large ended the process, and the others of its turn were lost.
  it('rejects the message that fails, and sends the others', async () => {
    const batcher = new SendBatcher();
    const done: unknown[] = [];
    batcher.add({ send: () => done.push(1), failed: unexpected });
    batcher.add({
      send: () => {
        throw new Error('too large');
      },
      failed: (error) => done.push(error),
    });
    batcher.add({ send: () => done.push(2), failed: unexpected });
    await turn();
    expect(done).toEqual([1, new Error('too large'), 2]);
  });
});
