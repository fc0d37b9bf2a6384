import { PeriodicJobRunner } from '../src/periodic-job-runner';
import { type PeriodicJobDefinition } from '../src/periodic-jobs';
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
  it('runs sooner with a shorter interval, but with a minimum', async () => {
    const runner = new PeriodicJobRunner(new MemoryLeases(), 'test', { lease: quick, pace: 0.001 });
    const turns: number[] = [];
    runner.start([job('seldom', async () => void turns.push(performance.now()), { everySeconds: 60 })]);
    await until(() => turns.length >= 2);
    await runner.stop();
    expect(turns[1]! - turns[0]!).toBeGreaterThan(400);
  });
});
