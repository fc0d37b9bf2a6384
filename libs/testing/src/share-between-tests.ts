/**
 * Starts what the tests of a file share before the first test, and stops it after the last.
 * @returns a proxy that can be used when the tests run
 */
export function shareBetweenTests<T extends { stop(): Promise<unknown> }>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  const shared = (): T => {
    if (!started) throw new Error('what tests share can only be used in tests');
    return started;
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(shared(), name),
    set: (_, name, value) => Reflect.set(shared(), name, value),
  });
}
