import { Sweeper } from '../src/sweeper';
import { type Sweep } from '../src/sweeps';
import { MemoryLeases } from './memory-leases';

const quick = { renewEveryMs: 20, lostAfterMs: 200, lookEveryMs: 10 };
async function until(probe: () => boolean): Promise<void> {
  while (!probe()) await new Promise((resolve) => setTimeout(resolve, 5));
}
const sweep = (name: string, run: Sweep['run'], over: Partial<Sweep> = {}): Sweep => ({
  name,
  everySeconds: 0.01,
  byEach: false,
  run,
  ...over,
});

describe('Sweeper', () => {
  it('takes its turns sooner at a quicker pace, and not without end', async () => {
    const sweeper = new Sweeper(new MemoryLeases(), 'test', { lease: quick, pace: 0.001 });
    const turns: number[] = [];
    sweeper.start([sweep('seldom', async () => void turns.push(performance.now()), { everySeconds: 60 })]);
    await until(() => turns.length >= 2);
    await sweeper.stop();
    expect(turns[1]! - turns[0]!).toBeGreaterThan(400);
  });
});
