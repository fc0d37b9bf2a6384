import path from 'node:path';
import { InThreads, ThreadFailed, threadFailures } from '../src';

class Provider extends InThreads<unknown, unknown> {
  work = (input: unknown) => this.pool.run(input);
}

const fixture = (name: string) => path.join(__dirname, 'fixtures', `${name}.js`);
const providers: Provider[] = [];
const open = (module: string) => {
  const provider = new Provider(module, {});
  providers.push(provider);
  return provider;
};
afterAll(() => Promise.all(providers.map((provider) => provider.onApplicationShutdown())));

it('starts when a thread can load its module, and then runs tasks', async () => {
  const provider = open(fixture('work'));
  await provider.onApplicationBootstrap();
  expect(await provider.work({ what: 'echo', value: 7 })).toBe(7);
  expect(threadFailures.get(fixture('work'))).toBe(0);
});

it('does not start when its module cannot be loaded; other providers do', async () => {
  const starts = ['throws-when-loaded', 'work'].map((name) => open(fixture(name)).onApplicationBootstrap());
  await expect(starts[0]).rejects.toBeInstanceOf(ThreadFailed);
  await expect(starts[1]).resolves.toBeUndefined();
  expect(threadFailures.get(fixture('throws-when-loaded'))).toBe(1);
});

it('throws when there is no such module', () => {
  expect(() => open('@moothall/workers/nothing-in-thread')).toThrow(/nothing-in-thread/);
});
