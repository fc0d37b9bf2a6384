/**
 * What the tests of a file share: started before the first of them, stopped after the last.
 * @returns something that stands for it, and is as good as it once the tests run
 */
export function shareBetweenTests<T extends { stop(): Promise<unknown> }>(start: () => Promise<T>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started?.stop());
  const shared = (): T => {
    if (!started) throw new Error('what tests share is there once they run');
    return started;
  };
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(shared(), name),
    set: (_, name, value) => Reflect.set(shared(), name, value),
  });
}
