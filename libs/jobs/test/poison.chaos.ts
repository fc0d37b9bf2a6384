import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startTestInfrastructure, type TestInfrastructure } from '@moothall/infrastructure';
import { Test, type TestingModule } from '@nestjs/testing';
import { Redis } from 'ioredis';
import { AllQueues, connectionOf, Jobs, JobsModule, jobQueue } from '../src';

/* A job that ends its process twice becomes a failed job; other jobs of that process run again. */

const queue = jobQueue<{ name: string; kills?: boolean }>({ name: 'test.poison', concurrency: 10, attempts: 3 });

let infrastructure: TestInfrastructure;
let app: TestingModule;
let redis: Redis;
let jobs: Jobs;
let queues: AllQueues;
beforeAll(async () => {
  infrastructure = await startTestInfrastructure();
  redis = new Redis(connectionOf(infrastructure.redisUrl));
  const { redisUrl } = infrastructure;
  app = await Test.createTestingModule({ imports: [JobsModule.forService({ redisUrl, isWorker: false })] }).compile();
  jobs = app.get(Jobs);
  queues = app.get(AllQueues);
});
afterAll(async () => {
  await stopWorkers();
  redis.disconnect();
  await app.close();
  await infrastructure.stop();
});

let isStopping = false;
let lost = 0;
let worker: ChildProcess | undefined;

/** A worker, and another one when it is lost, as a supervisor has it. */
async function superviseWorker(): Promise<void> {
  worker = fork(path.join(__dirname, 'fixtures/worker.js'), {
    env: { ...process.env, REDIS_URL: infrastructure.redisUrl },
  });
  worker.once('exit', (_code, signal) => {
    if (isStopping) return;
    if (signal === 'SIGKILL') lost++;
    superviseWorker().catch((error: unknown) => process.emitWarning(String(error)));
  });
  await once(worker, 'message');
}

async function stopWorkers(): Promise<void> {
  isStopping = true;
  const exited = worker && once(worker, 'exit');
  worker?.kill('SIGKILL');
  await exited;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 110_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const done = () => redis.lrange('done', 0, -1);

it('moves the job that killed two processes to the failed jobs, and runs those that ran beside it', async () => {
  for (let index = 0; index < 5; index++) await jobs.add(queue, { name: 'slow' }, { id: `slow-${index}` });
  await superviseWorker();
  await until(async () => (await jobs.open(queue).getActiveCount()) === 5);
  await jobs.add(queue, { name: 'poison', kills: true }, { id: 'poison' });
  await until(async () => (await queues.setAside()).length === 1);
  expect(lost).toBe(2);
  expect(await queues.setAside()).toMatchObject([
    { id: 'test.poison:poison', queue: 'test.poison', reason: 'The process that worked on it was lost twice.' },
  ]);
  await until(async () => (await done()).length === 5);
  // Its id is in use: filling the queues does not add it again.
  await jobs.add(queue, { name: 'poison', kills: true }, { id: 'poison' });
  await jobs.add(queue, { name: 'next' }, { id: 'next' });
  await until(async () => (await done()).includes('next'));
  expect(lost).toBe(2);
});

it('runs it again when an administrator retries it, once if it still fails', async () => {
  expect(await queues.retry('test.poison:unknown')).toBeUndefined();
  expect(await queues.retry('nowhere:poison')).toBeUndefined();
  expect(await queues.retry('test.poison:poison')).toMatchObject({ id: 'test.poison:poison' });
  await until(async () => lost === 3 && (await queues.setAside()).length === 1);
  await redis.set('armed', 'no');
  await queues.retry('test.poison:poison');
  await until(async () => (await done()).includes('poison'));
  expect(await queues.setAside()).toEqual([]);
  expect(lost).toBe(3);
});

it('continues a long job that makes progress each time', async () => {
  const sofar = lost;
  await jobs.add(queue, { name: 'long' }, { id: 'long' });
  await until(async () => (await done()).includes('long'));
  expect(lost).toBe(sofar + 3);
  expect(await queues.setAside()).toEqual([]);
});
