import { SchedulingChaos, until } from './scheduling-chaos';

// The full size is CHAOS_SCHEDULES=10000. Fewer schedules show the same faults in less time.
const count = Number(process.env.CHAOS_SCHEDULES ?? 150);
const promisedSeconds = 60;

describe(`${count} schedules due at the same time`, () => {
  let chaos: SchedulingChaos;
  beforeEach(async () => {
    chaos = await SchedulingChaos.start();
  });
  afterEach(() => chaos?.stop());

  /** One pipeline per schedule; prints the delay of the last one. */
  const report = async (name: string, dueAt: Date): Promise<void> => {
    const made = await chaos.pipelines.find().select('scheduleId triggerKey createdAt').sort({ createdAt: 1 }).lean();
    const seconds = (made.at(-1)!.createdAt.getTime() - dueAt.getTime()) / 1000;
    console.info(`${name}: ${made.length} of ${count} pipelines, the last after ${seconds} s`);
    expect(made).toHaveLength(count);
    expect(new Set(made.map(({ scheduleId }) => scheduleId)).size).toBe(count);
    expect(seconds).toBeLessThan(promisedSeconds);
  };

  it('run once each on one worker', async () => {
    await chaos.startWorker();
    const dueAt = new Date(Date.now() + 1000);
    await chaos.scheduleAll(count, dueAt);
    await until(async () => (await chaos.waiting(dueAt)) === 0);
    await report('one worker', dueAt);
  }, 180_000);

  it('run once each when the worker is killed in the middle', async () => {
    const first = await chaos.startWorker();
    const dueAt = new Date(Date.now() + 1000);
    await chaos.scheduleAll(count, dueAt);
    await until(async () => (await chaos.waiting(dueAt)) < (count * 2) / 3);
    await chaos.kill(first);
    await chaos.startWorker();
    await until(async () => (await chaos.waiting(dueAt)) === 0);
    await report('a worker killed', dueAt);
  }, 180_000);

  it('run once each if a worker of two, Redis with its data, and NATS are killed', async () => {
    const [first] = await Promise.all([chaos.startWorker(), chaos.startWorker()]);
    const dueAt = new Date(Date.now() + 1000);
    await chaos.scheduleAll(count, dueAt);
    await until(async () => (await chaos.waiting(dueAt)) < (count * 4) / 5);
    await chaos.kill(first!);
    await until(async () => (await chaos.waiting(dueAt)) < (count * 3) / 5);
    await chaos.loseRedis();
    await until(async () => (await chaos.waiting(dueAt)) < (count * 2) / 5);
    await chaos.restartNats();
    await until(async () => (await chaos.waiting(dueAt)) === 0);
    await report('a worker, Redis and NATS killed', dueAt);
  }, 180_000);
});
