import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

let child: ChildProcess;
beforeEach(() => {
  child = fork(path.join(__dirname, 'fixtures/faulty.js'));
});
afterEach(() => child.kill('SIGKILL'));

/** Its next message. */
async function tell(what: string): Promise<{ logged?: string; answered?: boolean }> {
  const said = once(child, 'message');
  child.send(what);
  return (await said)[0];
}

// Uncaught errors do not end the process, and the log contains the current work.
it.each([
  ['throw', 'uncaught exception: Error: thrown in a turn of its own'],
  ['reject', 'unhandled rejection: Error: rejected'],
  ['stream', 'uncaught exception: Error: emitted'],
])('survives an unexpected error: %s', async (what, words) => {
  child.send('work');
  const { logged } = await tell(what);
  expect(logged).toContain(words);
  expect(logged).toMatch(/at work: projects\.groups\.get$/);
  expect(await tell('ask')).toEqual({ answered: true });
});

it('ends after repeated errors', async () => {
  const exited = once(child, 'exit');
  for (let index = 0; index < 21; index++) child.send('throw');
  expect((await exited)[0]).toBe(1);
});
