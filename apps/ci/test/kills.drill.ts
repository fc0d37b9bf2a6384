import { Drill, until } from './drill';

// 10,000 is the size of the promise: DRILL_SCHEDULES=10000. Less shows the same faults in less time.
const count = Number(process.env.DRILL_SCHEDULES ?? 150);
const promisedSeconds = 60;

describe(`${count} schedules due at once`, () => {
  let drill: Drill;
  beforeEach(async () => {
    drill = await Drill.start();
  });
  afterEach(() => drill?.stop());

  /** One pipeline each, and how long the last of them took. */
  const report = async (name: string, dueAt: Date): Promise<void> => {
    const made = await drill.pipelines.find().select('scheduleId triggerKey createdAt').sort({ createdAt: 1 }).lean();
    const seconds = (made.at(-1)!.createdAt.getTime() - dueAt.getTime()) / 1000;
    console.info(`${name}: ${made.length} of ${count} pipelines, the last after ${seconds} s`);
    expect(made).toHaveLength(count);
    expect(new Set(made.map(({ scheduleId }) => scheduleId)).size).toBe(count);
    expect(seconds).toBeLessThan(promisedSeconds);
  };

  it('run once each on one worker', async () => {
    await drill.startWorker();
    const dueAt = new Date(Date.now() + 1000);
    await drill.scheduleAll(count, dueAt);
    await until(async () => (await drill.waiting(dueAt)) === 0);
    await report('one worker', dueAt);
  }, 180_000);

  it('run once each when the worker is killed in the middle', async () => {
    const first = await drill.startWorker();
    const dueAt = new Date(Date.now() + 1000);
    await drill.scheduleAll(count, dueAt);
    await until(async () => (await drill.waiting(dueAt)) < (count * 2) / 3);
    await drill.kill(first);
    await drill.startWorker();
    await until(async () => (await drill.waiting(dueAt)) === 0);
    await report('a worker killed', dueAt);
  }, 180_000);

  it('run once each when a worker of two, Redis with all it held, and NATS are killed', async () => {
    const [first] = await Promise.all([drill.startWorker(), drill.startWorker()]);
    const dueAt = new Date(Date.now() + 1000);
    await drill.scheduleAll(count, dueAt);
    await until(async () => (await drill.waiting(dueAt)) < (count * 4) / 5);
    await drill.kill(first!);
    await until(async () => (await drill.waiting(dueAt)) < (count * 3) / 5);
    await drill.loseRedis();
    await until(async () => (await drill.waiting(dueAt)) < (count * 2) / 5);
    await drill.restartNats();
    await until(async () => (await drill.waiting(dueAt)) === 0);
    await report('a worker, Redis and NATS killed', dueAt);
  }, 180_000);
});
