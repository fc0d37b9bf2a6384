import {
  deleteQueuedJobs,
  getCompoundMetrics,
  getJobStats,
  getProcessMetrics,
  getQueueMetrics,
  listFailedJobs,
  listJobQueues,
  retryFailedJob,
} from '@moothall/contracts';
import { AllQueues, connectionOf, Jobs } from '@moothall/jobs';
import { eventually } from '@moothall/testing';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { groupExportJobs } from '../src/group-archive/export/build-group-export';
import { type ProjectsUnderTest, refusal, startProjects } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  // Without workers of its own: the test controls the results of jobs.
  projects = await startProjects({ ROLES: 'api' });
});
afterAll(() => projects?.stop());

// Administrators see and retry failed jobs.
it('are listed without their payload, and retried', async () => {
  const root = await projects.user(undefined, { isAdmin: true });
  const jobs = projects.running.app.get(Jobs);
  const queue = jobs.open(groupExportJobs);
  const redis = new Redis(projects.env.REDIS_URL!);
  await redis.sadd('moothall:queues', queue.name);
  await queue.add(queue.name, { export_id: 1 }, { jobId: 'export-1', removeOnFail: false });
  let isPoisonous = true;
  const worker = new Worker(
    queue.name,
    async () => {
      if (isPoisonous) throw new Error('The process that worked on it was lost twice.');
    },
    { connection: connectionOf(projects.env.REDIS_URL!), prefix: 'moothall' },
  );
  try {
    await eventually(async () => (await projects.running.app.get(AllQueues).setAside()).length === 1, 'the failed job');
    const lengths = { waiting: 0, active: 0, delayed: 0, set_aside: 1 };
    expect(await projects.ask(root, listJobQueues, {})).toEqual([{ name: queue.name, ...lengths }]);
    const { items } = await projects.ask(root, listFailedJobs, {});
    expect(items).toEqual([
      {
        id: `${queue.name}:export-1`,
        queue: queue.name,
        reason: 'The process that worked on it was lost twice.',
        created_at: expect.any(String),
        set_aside_at: expect.any(String),
      },
    ]);
    isPoisonous = false;
    expect(await projects.ask(root, retryFailedJob, { job_id: items[0]!.id })).toEqual(items[0]);
    await eventually(async () => (await projects.ask(root, listFailedJobs, {})).items.length === 0, 'its end');
    const again = projects.ask(root, retryFailedJob, { job_id: items[0]!.id });
    expect((await refusal(again)).code).toBe('set_aside_job.not_found');
  } finally {
    await worker.close();
    redis.disconnect();
  }
});

it('are returned in the form of v4, and deleted while they wait', async () => {
  const root = await projects.user(undefined, { isAdmin: true });
  const name = 'projects.of-sidekiq';
  const queue = new Queue(name, { connection: connectionOf(projects.env.REDIS_URL!), prefix: 'moothall' });
  const redis = new Redis(projects.env.REDIS_URL!);
  await redis.sadd('moothall:queues', name);
  const ended = { removeOnComplete: true, removeOnFail: true };
  const add = (jobId: string, given: object = {}) => queue.add(name, {}, { jobId, ...ended, ...given });
  const remove = (given: object) => projects.ask(root, deleteQueuedJobs, { queue_name: name, ...given });
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let worker: Worker | undefined;
  try {
    await add('old', { timestamp: Date.now() - 60_000 });
    await add('new');
    await add('turn', { priority: 7 });
    const { queues } = await projects.ask(root, getQueueMetrics, {});
    expect(queues[name]).toEqual({ backlog: 3, latency: expect.any(Number) });
    expect(queues[name]!.latency).toBeGreaterThanOrEqual(60);
    expect(await remove({ worker_class: 'another' })).toEqual({ completed: true, deleted_jobs: 0, queue_size: 3 });
    expect(await remove({ worker_class: name, user: 'ada' })).toMatchObject({ deleted_jobs: 0, queue_size: 3 });
    expect(await remove({ worker_class: name })).toEqual({ completed: true, deleted_jobs: 3, queue_size: 0 });
    // It may be added again.
    await add('old');
    await add('fails');
    const before = (await projects.ask(root, getJobStats, {})).jobs;
    worker = new Worker(
      name,
      async ({ id }) => {
        await held;
        if (id === 'fails') throw new Error('given up');
      },
      {
        ...{ connection: connectionOf(projects.env.REDIS_URL!), prefix: 'moothall', concurrency: 2 },
        ...{ name: 'host-a.77.1700000000000.2', metrics: { maxDataPoints: 60 } },
      },
    );
    const seen = () => projects.ask(root, getProcessMetrics, {});
    await eventually(async () => (await seen()).processes.some(({ busy }) => busy === 2), 'both at work');
    expect((await seen()).processes).toContainEqual({
      ...{ hostname: 'host-a', pid: 77, tag: 'moothall', started_at: '2023-11-14T22:13:20.000Z', queues: [name] },
      ...{ labels: [], concurrency: 2, busy: 2 },
    });
    expect(await remove({ worker_class: name })).toMatchObject({ deleted_jobs: 0 });
    letGo();
    const stats = async () => (await projects.ask(root, getJobStats, {})).jobs;
    await eventually(async () => (await stats()).processed === before.processed + 2, 'the ends of both');
    expect((await stats()).failed).toBe(before.failed + 1);
    await worker.close();
    await eventually(async () => !(await seen()).processes.some(({ pid }) => pid === 77), 'the end of the process');
    const all = await projects.ask(root, getCompoundMetrics, {});
    expect(Object.keys(all).toSorted()).toEqual(['jobs', 'processes', 'queues']);
  } finally {
    letGo();
    await worker?.close();
    await queue.close();
    redis.disconnect();
  }
  const nowhere = projects.ask(root, deleteQueuedJobs, { queue_name: 'none', worker_class: 'x' });
  expect((await refusal(nowhere)).code).toBe('sidekiq.queue_not_found');
});
