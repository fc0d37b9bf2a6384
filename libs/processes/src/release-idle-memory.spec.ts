import { setInterval } from 'node:timers/promises';
import { releaseMemoryWhenIdle } from './release-idle-memory';

it('returns memory after a load', async () => {
  releaseMemoryWhenIdle(300);
  let load: object[] | undefined = Array.from({ length: 500_000 }, (_, number) => ({ number }));
  const grown = process.memoryUsage().heapTotal;
  expect(load).toHaveLength(500_000);
  load = undefined;
  for await (const _ of setInterval(50)) if (process.memoryUsage().heapTotal < grown - (16 << 20)) return;
}, 30_000);
