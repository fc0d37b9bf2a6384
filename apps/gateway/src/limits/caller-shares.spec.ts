import { EventEmitter } from 'node:events';
import { CallerShares } from './caller-shares';

class Answer extends EventEmitter {
  closed = false;

  end(): void {
    this.closed = true;
    this.emit('close');
  }
}

describe('CallerShares', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Requests a turn. @returns whether it was granted */
  const ask = async (shares: CallerShares, caller: string) => {
    const answer = new Answer();
    const state = { answer, isIn: false };
    void shares.enter(caller, 'list', answer).then(() => {
      state.isIn = true;
    });
    await jest.advanceTimersByTimeAsync(0);
    return state;
  };
  const slowly = async (shares: CallerShares, caller: string, count: number) => {
    const asked = [];
    for (let one = 0; one < count; one++) asked.push(await ask(shares, caller));
    await jest.advanceTimersByTimeAsync(300);
    return asked;
  };

  it('delays a caller with two slow requests, and nobody else', async () => {
    const shares = new CallerShares(2);
    const slow = await slowly(shares, 'a', 2);
    const further = await ask(shares, 'a');
    expect([further.isIn, (await ask(shares, 'b')).isIn]).toEqual([false, true]);
    slow[0]!.answer.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(further.isIn).toBe(true);
  });

  it('never delays a caller whose requests are fast', async () => {
    const shares = new CallerShares(1);
    (await ask(shares, 'a')).answer.end();
    for (let one = 0; one < 1000; one++) {
      const asked = await ask(shares, 'a');
      expect(asked.isIn).toBe(true);
      if (one >= 100) asked.answer.end();
    }
  });

  it('admits a share of the slow requests, for any number that arrive together', async () => {
    const shares = new CallerShares(6);
    const asked: Awaited<ReturnType<typeof ask>>[] = [];
    for (let one = 0; one < 200; one++) asked.push(await ask(shares, 'a'));
    const inNow = () => asked.filter(({ isIn, answer }) => isIn && !answer.closed).length;
    expect(inNow()).toBe(6);
    await jest.advanceTimersByTimeAsync(300);
    for (const { answer } of asked.slice(0, 50)) {
      answer.end();
      await jest.advanceTimersByTimeAsync(300);
      expect(inNow()).toBe(6);
    }
  });

  it('continues if the admitted requests are quick, in the order of arrival', async () => {
    const shares = new CallerShares(1);
    const [slow] = await slowly(shares, 'a', 1);
    const waiting = [await ask(shares, 'a'), await ask(shares, 'a'), await ask(shares, 'a')];
    slow!.answer.end();
    for (const each of waiting) {
      await jest.advanceTimersByTimeAsync(0);
      expect(each.isIn).toBe(true);
      each.answer.end();
    }
  });

  it('lets in no more than their share when several end in one turn', async () => {
    const shares = new CallerShares(2);
    const slow = await slowly(shares, 'a', 2);
    const waiting = [await ask(shares, 'a'), await ask(shares, 'a'), await ask(shares, 'a'), await ask(shares, 'a')];
    for (const { answer } of slow) answer.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(waiting.map(({ isIn }) => isIn)).toEqual([true, true, false, false]);
  });

  it('does not count callers that disconnected', async () => {
    const shares = new CallerShares(1);
    const gone = new Answer();
    gone.end();
    await shares.enter('a', 'list', gone);
    expect((await ask(shares, 'a')).isIn).toBe(true);
  });

  it('forgets callers who disconnect while they wait', async () => {
    const shares = new CallerShares(1);
    const [slow] = await slowly(shares, 'a', 1);
    const gone = await ask(shares, 'a');
    const patient = await ask(shares, 'a');
    gone.answer.end();
    slow!.answer.end();
    await jest.advanceTimersByTimeAsync(0);
    expect(patient.isIn).toBe(true);
  });

  it('refuses more than five hundred that wait', async () => {
    const shares = new CallerShares(1);
    await slowly(shares, 'a', 1);
    for (let one = 0; one < 500; one++) await ask(shares, 'a');
    await expect(shares.enter('a', 'list', new Answer())).rejects.toThrow('too_many_requests');
  });
});
