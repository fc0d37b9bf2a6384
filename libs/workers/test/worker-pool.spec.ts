import path from 'node:path';
import { ThreadFailed, WorkerPool } from '../src';

const failures: ThreadFailed[] = [];
const pools: { close(): Promise<void> }[] = [];
const open = (file: string, limits = {}) => {
  const pool = new WorkerPool<unknown, unknown>(path.join(__dirname, 'fixtures', file), limits, (failure) => {
    failures.push(failure);
  });
  pools.push(pool);
  return pool;
};
beforeEach(() => failures.splice(0));
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

it('loads its module in a thread and does nothing else, when it is checked', async () => {
  const pool = open('throws-when-asked.js');
  await pool.check();
  await expect(pool.run({})).rejects.toThrow('asked');
  expect(failures).toEqual([]);
});

it.each([
  ['is not there', 'nowhere.js', "Cannot find module '.*nowhere.js'"],
  ['needs what is not there', 'needs-more.js', "Cannot find module './nowhere'"],
  ['fails as it loads', 'throws-when-loaded.js', 'as it loads'],
])('fails a task at once when its module %s, and says why', async (_, file, reason) => {
  const pool = open(file);
  await expect(pool.run({})).rejects.toThrow(new RegExp(reason));
  await expect(pool.check()).rejects.toBeInstanceOf(ThreadFailed);
  expect(failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(reason),
    expect.stringMatching(reason),
  ]);
});

it('fails all tasks at once when no thread can start', async () => {
  // Less memory than Node itself needs in a thread.
  const pool = open('work.js', { memoryMb: 1, threads: 2 });
  const tasks = await Promise.allSettled([pool.run({}, { who: 'ada' }), pool.run({}, { who: 'bob' }), pool.check()]);
  for (const task of tasks) expect(task).toMatchObject({ status: 'rejected', reason: { name: 'ThreadFailed' } });
  expect(failures[0]?.message).toMatch(/memory/);
});
