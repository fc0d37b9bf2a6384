import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expectSignsOfLife } from '../src/sign-of-life';
import { waitedForProcessorMs } from '../src/waited-for-processor';

const silentMs = 100;
const children: ChildProcess[] = [];

/** It has a channel, and does not answer. */
async function silentChild(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'process.on("message", () => undefined)'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  children.push(child);
  await once(child, 'spawn');
  return child;
}

const msUntilBlamed = async (waitedMs: (pid: number) => number) => {
  const child = await silentChild();
  const since = performance.now();
  await new Promise<void>((resolve) => expectSignsOfLife(child, silentMs, () => resolve(), waitedMs));
  return performance.now() - since;
};

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

it('a child with processor time that does not respond is unhealthy', async () => {
  expect(await msUntilBlamed(() => 0)).toBeGreaterThanOrEqual(silentMs - 5);
});

it('one that waits for a processor gets six times as long, and no more', async () => {
  expect(await msUntilBlamed(() => performance.now())).toBeGreaterThanOrEqual(5 * silentMs);
});

(process.platform === 'linux' ? it : it.skip)('a process waits for a processor now and then', async () => {
  expect(waitedForProcessorMs(process.pid)).toBeGreaterThan(0);
  expect(waitedForProcessorMs(2 ** 30)).toBe(0);
});
