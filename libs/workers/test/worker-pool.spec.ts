import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { ThreadFailed, WorkerPool } from '../src';

const failures: ThreadFailed[] = [];
/** Resolves with the first failure of a test. */
let failed: Promise<void>;
let onFailed: () => void;
const pools: { close(): Promise<void> }[] = [];
const open = (file: string, limits = {}) => {
  const pool = new WorkerPool<unknown, unknown>(path.join(__dirname, 'fixtures', file), limits, (failure) => {
    failures.push(failure);
    onFailed();
  });
  pools.push(pool);
  return pool;
};
beforeEach(() => {
  failures.splice(0);
  failed = new Promise((resolve) => {
    onFailed = resolve;
  });
});
afterAll(() => Promise.all(pools.map((pool) => pool.close())));

it('only loads its module in a thread when it is checked', async () => {
  const pool = open('throws-when-asked.js');
  await pool.check();
  await expect(pool.run({})).rejects.toThrow('asked');
  expect(failures).toEqual([]);
});

it.each([
  ['is missing', 'nowhere.js', "Cannot find module '.*nowhere.js'"],
  ['requires a missing module', 'needs-more.js', "Cannot find module './nowhere'"],
  ['throws while it loads', 'throws-when-loaded.js', 'as it loads'],
])('fails a task immediately, with the reason, if its module %s', async (_, file, reason) => {
  const pool = open(file);
  await expect(pool.run({})).rejects.toThrow(new RegExp(reason));
  await expect(pool.check()).rejects.toBeInstanceOf(ThreadFailed);
  expect(failures.map(({ message }) => message)).toEqual([
    expect.stringMatching(reason),
    expect.stringMatching(reason),
  ]);
});

it('fails all tasks immediately if no thread can start', async () => {
  // Less memory than Node itself needs in a thread.
  const pool = open('work.js', { memoryMb: 1, threads: 2 });
  const tasks = await Promise.allSettled([pool.run({}, { who: 'ada' }), pool.run({}, { who: 'bob' }), pool.check()]);
  for (const task of tasks) expect(task).toMatchObject({ status: 'rejected', reason: { name: 'ThreadFailed' } });
  expect(failures[0]?.message).toMatch(/memory/);
});

it('reports a thread that fails between two tasks, and runs the next task', async () => {
  const pool = open('work.js');
  const { port1, port2 } = new MessageChannel();
  await pool.run({ what: 'throw later', port: port2 }, { transfer: [port2] });
  port1.postMessage('now');
  await failed;
  port1.close();
  expect(failures[0]?.message).toMatch(/failed without a task: Error: later/);
  expect(await pool.run({ what: 'echo', value: 2 })).toBe(2);
});
