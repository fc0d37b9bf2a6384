import { PeriodicJobRunner } from '../src/periodic-job-runner';
import { allAlone, eachAlone, PeriodicJob, type PeriodicJobDefinition, periodicJobsOf } from '../src/periodic-jobs';
import { MemoryLeases } from './memory-leases';

const quick = { renewEveryMs: 20, lostAfterMs: 200, lookEveryMs: 10 };

async function until(probe: () => boolean): Promise<void> {
  while (!probe()) await new Promise((resolve) => setTimeout(resolve, 5));
}

const job = (
  name: string,
  run: PeriodicJobDefinition['run'],
  over: Partial<PeriodicJobDefinition> = {},
): PeriodicJobDefinition => ({
  name,
  everySeconds: 0.01,
  byEach: false,
  run,
  ...over,
});

describe('PeriodicJobRunner', () => {
  it('continues after a run that fails, and reports each', async () => {
    const reported: string[] = [];
    let turn = 0;
    const runner = new PeriodicJobRunner(new MemoryLeases(), 'test', {
      lease: quick,
      onTurn: (name, outcome) => reported.push(`${name} ${outcome}`),
      onFailure: (name, error) => reported.push(`${name} ${error}`),
    });
    const run = async () => {
      turn += 1;
      if (turn === 1) throw new Error('away');
    };
    runner.start([job('one', run)]);
    await until(() => turn >= 3);
    await runner.stop();
    expect(reported.slice(0, 3)).toEqual(['one Error: away', 'one failed', 'one done']);
  });

  it('runs some jobs in one replica, and others in each', async () => {
    const leases = new MemoryLeases();
    const turns = new Map<string, number>();
    const count = (key: string) => async () => void turns.set(key, (turns.get(key) ?? 0) + 1);
    const runners = [1, 2, 3].map((number) => {
      const runner = new PeriodicJobRunner(leases, 'test', { lease: quick });
      runner.start([job('shared', count('shared')), job('own', count(`own ${number}`), { byEach: true })]);
      return runner;
    });
    let atOnce = 0;
    let most = 0;
    const counted = new PeriodicJobRunner(leases, 'test', { lease: quick });
    counted.start([
      job('shared', async () => {
        most = Math.max(most, ++atOnce);
        await new Promise(setImmediate);
        atOnce--;
      }),
    ]);
    await until(() => [1, 2, 3].every((number) => (turns.get(`own ${number}`) ?? 0) > 2));
    await until(() => (turns.get('shared') ?? 0) > 2 || most > 0);
    // The owner stops, and another takes over.
    for (const runner of runners) await runner.stop();
    await until(() => most === 1);
    await counted.stop();
    expect(most).toBe(1);
    expect(leases.size).toBe(0);
  });

  it('ends its run before it stops, starts no other, and signals the running one', async () => {
    let begun = 0;
    let ended = 0;
    const runner = new PeriodicJobRunner(new MemoryLeases(), 'test', { lease: quick });
    const run = async (signal: AbortSignal) => {
      begun += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise(setImmediate);
      ended += 1;
    };
    runner.start([job('one', run), job('two', run)]);
    await until(() => begun === 2);
    await runner.stop();
    expect([begun, ended]).toEqual([2, 2]);
  });

  it('stops while another leads', async () => {
    const leases = new MemoryLeases();
    const first = new PeriodicJobRunner(leases, 'test', { lease: quick });
    let turns = 0;
    first.start([job('one', async () => void turns++)]);
    await until(() => turns > 0);
    const second = new PeriodicJobRunner(leases, 'test', { lease: quick });
    let others = 0;
    second.start([job('one', async () => void others++)]);
    await second.stop();
    await first.stop();
    expect(others).toBe(0);
  });

  it('waits for a database that is away, and leads once it is back', async () => {
    const leases = new MemoryLeases();
    leases.isAway = true;
    const failures: string[] = [];
    let turns = 0;
    const runner = new PeriodicJobRunner(leases, 'test', { lease: quick, onFailure: (name) => failures.push(name) });
    runner.start([job('one', async () => void turns++)]);
    await until(() => failures.length > 0);
    leases.isAway = false;
    await until(() => turns > 0);
    await runner.stop();
    expect(failures).toContain('lease');
  });

  // A suspended leader resumes while another leads: its run is aborted, and it waits again.
  it('aborts its run after another replica has taken over', async () => {
    const leases = new MemoryLeases();
    const leading: boolean[] = [];
    let signals: AbortSignal[] = [];
    const runner = new PeriodicJobRunner(leases, 'test', { lease: quick, onLeading: (is) => leading.push(is) });
    const run = async (signal: AbortSignal) => {
      signals = [...signals, signal];
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    runner.start([job('one', run)]);
    await until(() => signals.length === 1);
    const elsewhere = { host: 'far', pid: 1, identity: 'x', place: 'another machine', lease: 'its' };
    await leases.updateOne({ _id: 'sweeps of test' }, { $set: { owner: elsewhere } });
    await until(() => signals[0]!.aborted);
    // The other is silent from then on.
    await until(() => signals.length === 2);
    await runner.stop();
    expect(leading).toEqual([true, false, true, false]);
  });
});

describe('@PeriodicJob', () => {
  class Base {
    readonly done: string[] = [];
    @PeriodicJob('base', { everySeconds: 1 })
    async base() {
      this.done.push('base');
    }
  }
  class Marked extends Base {
    @PeriodicJob('own', { everySeconds: 2, byEach: true })
    async own() {
      this.done.push('own');
    }
    async other() {}
    readonly isHere = false;
    @PeriodicJob('elsewhere', { everySeconds: 2, where: (marked: Marked) => marked.isHere })
    async elsewhere() {}
  }

  it('finds all marked methods, also inherited ones, bound to their object', async () => {
    const marked = new Marked();
    const found = periodicJobsOf(marked);
    expect(found.map(({ name, everySeconds, byEach }) => [name, everySeconds, byEach])).toEqual([
      ['own', 2, true],
      ['base', 1, false],
    ]);
    for (const { run } of found) await run(new AbortController().signal);
    expect(marked.done).toEqual(['own', 'base']);
  });
});

describe.each([
  ['eachAlone', eachAlone],
  ['allAlone', allAlone],
])('%s', (_, alone) => {
  it('handles all items, and throws the failures at the end', async () => {
    const done: number[] = [];
    const work = async (item: number) => {
      if (item % 2 === 0) throw new Error(`not ${item}`);
      done.push(item);
    };
    await expect(alone([1, 2, 3, 4, 5], work)).rejects.toThrow('2 failed, the first: Error: not 2');
    expect(done).toEqual([1, 3, 5]);
    await alone([1], work);
  });
});
