import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { currentTask, Works } from '@moothall/tracing';
import { Injectable, type Provider } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { Redis } from 'ioredis';
import {
  AllQueues,
  JobRunner,
  Jobs,
  JobsModule,
  type JobsOptions,
  jobQueue,
  UnrecoverableError,
  WorksOn,
} from '../src';

const greetings = jobQueue<{ name: string }>({ name: 'test.greetings', attempts: 3, backoffSeconds: 0.01 });

const shared = jobQueue<{ who: string; name: string }>({
  name: 'test.shared',
  concurrency: 2,
  sharedBy: ({ who }) => who,
});

/** Records finished work, and resolves when a test waits for it. */
class Done {
  readonly names: string[] = [];
  private waiting: { count: number; resolve: () => void }[] = [];

  add(name: string): void {
    this.names.push(name);
    for (const one of this.waiting) if (this.names.length >= one.count) one.resolve();
  }

  until(count: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.names.length >= count) resolve();
      else this.waiting.push({ count, resolve });
    });
  }
}

const done = new Done();

@Injectable()
class Greeter {
  @WorksOn(greetings)
  async greet({ name }: { name: string }): Promise<void> {
    if (name === 'followed') done.add(`followed for ${currentTask()?.requestId}`);
    else done.add(name);
    if (name === 'flaky' && done.names.filter((one) => one === name).length < 3) throw new Error('try again');
    if (name === 'hopeless') throw new UnrecoverableError('never');
  }
}

/** Running jobs wait until the test lets them end. */
const atWork = new Map<string, () => void>();

@Injectable()
class Sharer {
  @WorksOn(shared)
  async work({ name }: { name: string }): Promise<void> {
    done.add(name);
    if (name.startsWith('long')) await new Promise<void>((resolve) => atWork.set(name, resolve));
  }
}

let infrastructure: TestInfrastructure;
let adding: TestingModule;
let jobs: Jobs;

const open = async (isWorker: boolean, providers: Provider[] = [], onEnded?: JobsOptions['onEnded']) => {
  const works = new Works({ isFollowing: true });
  const app = await Test.createTestingModule({
    imports: [JobsModule.forService({ redisUrl: infrastructure.redisUrl, isWorker, onEnded, works })],
    providers,
  }).compile();
  await app.init();
  if (isWorker) await app.get(JobRunner).start();
  return app;
};

beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  adding = await open(false);
  jobs = adding.get(Jobs);
});
afterAll(async () => {
  await adding.close();
  await infrastructure.stop();
});

it('adds a job once while it waits, and keeps jobs until a worker starts', async () => {
  await jobs.add(greetings, { name: 'once' }, { id: 'greet:once' });
  await jobs.add(greetings, { name: 'once' }, { id: 'greet:once' });
  await jobs.addAll(greetings, [{ id: 'a', data: { name: 'many' } }]);
  expect(done.names).toEqual([]);
  const worker = await open(true, [Greeter]);
  await done.until(2);
  expect(done.names.toSorted()).toEqual(['many', 'once']);
  await worker.close();
});

it('runs a job again if it is added after it was done', async () => {
  const worker = await open(true, [Greeter]);
  await jobs.add(greetings, { name: 'once' }, { id: 'greet:once' });
  await done.until(3);
  await worker.close();
});

it('retries a failing job, and gives up on an unrecoverable one', async () => {
  const worker = await open(true, [Greeter]);
  const before = done.names.length;
  await jobs.add(greetings, { name: 'hopeless' }, { id: 'hopeless' });
  await jobs.add(greetings, { name: 'flaky' }, { id: 'flaky' });
  await done.until(before + 4);
  expect(done.names.slice(before).toSorted()).toEqual(['flaky', 'flaky', 'flaky', 'hopeless']);
  await worker.close();
});

it('runs a job in the trace of the request that queued it', async () => {
  const worker = await open(true, [Greeter]);
  const before = done.names.length;
  const works = new Works({ isFollowing: true });
  await works.as({ requestId: '5' }, () => jobs.add(greetings, { name: 'followed' }, { id: 'followed' }));
  const many = [{ id: 'followed too', data: { name: 'followed' } }];
  await works.as({ requestId: '6' }, () => jobs.addAll(greetings, many));
  await jobs.add(greetings, { name: 'followed' }, { id: 'followed by nobody' });
  await done.until(before + 3);
  const expected = ['followed for 5', 'followed for 6', 'followed for internal'];
  expect(done.names.slice(before).toSorted()).toEqual(expected);
  await worker.close();
});

it('alternates between callers if many jobs were added at once', async () => {
  const many = ['a', 'b', 'c', 'd'].map((name, behind) => ({ id: name, data: { name }, behind }));
  await jobs.addAll(greetings, many);
  await jobs.addAll(greetings, [{ id: 'between', data: { name: 'between' }, behind: 0 }]);
  const before = done.names.length;
  const worker = await open(true, [Greeter]);
  await done.until(before + 5);
  expect(done.names.slice(before)).toEqual(['a', 'b', 'between', 'c', 'd']);
  await worker.close();
});

it('reports how each run ended and how many jobs each queue has, but not while Redis is unreachable', async () => {
  const counted = jobQueue<{ name: string }>({ name: 'test.counted', attempts: 2, backoffSeconds: 0.01 });
  const ended = new Done();
  @Injectable()
  class Counted {
    @WorksOn(counted)
    async work({ name }: { name: string }): Promise<void> {
      done.add(name);
      if (name === 'counted long') await new Promise<void>((resolve) => atWork.set(name, resolve));
      if (name === 'counted failing') throw new Error('as it is meant to');
    }
  }
  const before = done.names.length;
  const onEnded = (_queue: string, outcome: string, seconds: number) =>
    ended.add(seconds >= 0 ? outcome : 'not yet begun');
  const worker = await open(true, [Counted], onEnded);
  const runner = worker.get(JobRunner);
  await jobs.add(counted, { name: 'counted failing' }, { id: 'counted failing' });
  await ended.until(2);
  await jobs.add(counted, { name: 'counted long' }, { id: 'counted long' });
  await done.until(before + 3);
  await jobs.addAll(counted, [
    { id: 'counted b', data: { name: 'b' } },
    { id: 'counted c', data: { name: 'c' }, behind: 1 },
    { id: 'counted d', data: { name: 'd' }, delaySeconds: 3600 },
  ]);
  const expected = [{ queue: counted.name, jobs: { waiting: 2, active: 1, delayed: 1, set_aside: 0 } }];
  expect(await runner.count()).toEqual(expected);
  expect(await worker.get(AllQueues).counts()).toEqual(expect.arrayContaining(expected));
  atWork.get('counted long')?.();
  await ended.until(5);
  expect(ended.names).toEqual(['retried', 'given_up', 'done', 'done', 'done']);
  const redis = new Redis(infrastructure.redisUrl);
  await redis.client('PAUSE', 30_000, 'WRITE');
  expect(await runner.count()).toEqual([]);
  await redis.client('UNPAUSE');
  redis.disconnect();
  expect(await runner.count()).toHaveLength(1);
  await worker.close();
  expect(await runner.count()).toEqual([]);
});

// It was unspecified what happens with jobs for which Redis has no space.
it('are refused like on a full disk if Redis is full, and accepted when it has space', async () => {
  const waiting = jobQueue<{ name: string }>({ name: 'test.without-room' });
  const redis = new Redis(infrastructure.redisUrl);
  await jobs.add(waiting, { name: 'a' }, { id: 'a' });
  await redis.config('SET', 'maxmemory', '1');
  const refused = { value: { code: 'common.disk_full' } };
  await expect(jobs.add(waiting, { name: 'b' }, { id: 'b' })).rejects.toMatchObject(refused);
  await expect(jobs.addAll(waiting, [{ data: { name: 'c' }, id: 'c' }])).rejects.toMatchObject(refused);
  await redis.config('SET', 'maxmemory', '0');
  await jobs.add(waiting, { name: 'b' }, { id: 'b' });
  expect((await jobs.open(waiting).getWaiting()).map(({ id }) => id)).toEqual(['a', 'b']);
  redis.disconnect();
});

// The jobs of one caller have a share, and callers take turns.
it('does not delay one caller by all jobs of another', async () => {
  const before = done.names.length;
  for (const name of ['long-1', 'long-2', 'm3', 'm4', 'm5']) {
    await jobs.add(shared, { who: 'mallory', name }, { id: name });
  }
  // A repeated request is one job, and one turn.
  await jobs.add(shared, { who: 'mallory', name: 'm5' }, { id: 'm5' });
  await jobs.add(shared, { who: 'ada', name: 'a1' }, { id: 'a1' });
  const worker = await open(true, [Sharer]);
  await done.until(before + 2);
  expect(done.names.slice(before).toSorted()).toEqual(['a1', 'long-1']);
  for (const bea of ['b1', 'b2']) await jobs.add(shared, { who: 'bea', name: bea }, { id: bea });
  await done.until(before + 4);
  expect(done.names.slice(before + 2)).toEqual(['b1', 'b2']);
  atWork.get('long-1')!();
  while (!done.names.includes('m5')) {
    atWork.get('long-2')?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await worker.close();
});
