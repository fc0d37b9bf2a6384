import path from 'node:path';
import { OutOfBounds, WorkerPool } from '../src';

interface Work {
  what: 'echo' | 'loop' | 'wait' | 'fill' | 'throw' | 'exit';
  value?: number;
}

/** Longer than a thread needs for this input, on busy machines. */
const withinMs = 3_000;

const pools: { close(): Promise<void> }[] = [];
const open = (limits = {}) => {
  const pool = new WorkerPool<Work, number>(path.join(__dirname, 'fixtures/work.js'), limits);
  pools.push(pool);
  return pool;
};
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

it.each<[Work['what'], string]>([
  ['loop', 'time'],
  ['wait', 'time'],
  ['fill', 'memory'],
])('ends a task that would %s for ever, and does the next one', async (what, bound) => {
  const pool = open({ withinMs: what === 'fill' ? 30_000 : withinMs, memoryMb: 32 });
  await expect(pool.run({ what })).rejects.toMatchObject({ name: 'OutOfBounds', bound });
  expect(await pool.run({ what: 'echo', value: 7 })).toBe(7);
});

// A pipeline file was refused for its time on a machine so busy that the thread was slow to start.
it('counts no time before the thread begins', async () => {
  const pool = new WorkerPool<number, number>(path.join(__dirname, 'fixtures/slow-start.js'), { withinMs });
  pools.push(pool);
  expect(await pool.run(7)).toBe(7);
});

it('does not block the event loop', async () => {
  const pool = open({ withinMs });
  let turns = 0;
  const counting = setInterval(() => turns++, 5);
  await expect(pool.run({ what: 'loop' })).rejects.toBeInstanceOf(OutOfBounds);
  clearInterval(counting);
  expect(turns).toBeGreaterThan(20);
});

it('counts the time of a task from its start, and refuses when too many wait', async () => {
  const pool = open({ withinMs, threads: 1, waiting: 2 });
  const slow = pool.run({ what: 'loop' });
  const patient = [pool.run({ what: 'loop' }), pool.run({ what: 'echo', value: 2 })];
  await expect(pool.run({ what: 'echo' })).rejects.toMatchObject({ bound: 'waiting' });
  await expect(slow).rejects.toMatchObject({ bound: 'time' });
  await expect(patient[0]).rejects.toMatchObject({ bound: 'time' });
  expect(await patient[1]).toBe(2);
});

it('reserves a thread for others, however much one caller requests, and alternates between callers', async () => {
  const pool = open({ withinMs, threads: 2 });
  const hostile = Array.from({ length: 5 }, () => pool.run({ what: 'loop' }, { who: 'mallory' }).catch(() => 'ended'));
  const all = Promise.all(hostile).then(() => 'hostile');
  const others = ['ada', 'bob'].map((who) => pool.run({ what: 'echo', value: 1 }, { who }));
  // Five hostile tasks take five times the limit of one.
  expect(await Promise.race([all, Promise.all(others).then(() => 'others')])).toBe('others');
  await all;
});

it('passes on the error of a function, and survives its thread', async () => {
  const pool = open();
  await expect(pool.run({ what: 'throw' })).rejects.toThrow('as it was meant');
  await expect(pool.run({ what: 'exit' })).rejects.toThrow();
  expect(await pool.run({ what: 'echo', value: 1 })).toBe(1);
});
