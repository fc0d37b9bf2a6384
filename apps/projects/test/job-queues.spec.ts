import { listJobQueues, listSetAsideJobs, retrySetAsideJob } from '@moothall/contracts';
import { AllQueues, connectionOf, Jobs } from '@moothall/jobs';
import { eventually } from '@moothall/testing';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { groupExportJobs } from '../src/group-archive/export/build-group-export';
import { type ProjectsUnderTest, refusal, startProjects } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  // Without workers of its own: the test says how its jobs end.
  projects = await startProjects({ ROLES: 'api' });
});
afterAll(() => projects?.stop());

// What is set aside is shown to administrators, and tried again by them.
it('are listed, without what they are about, and put back', async () => {
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
    const { items } = await projects.ask(root, listSetAsideJobs, {});
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
    expect(await projects.ask(root, retrySetAsideJob, { job_id: items[0]!.id })).toEqual(items[0]);
    await eventually(async () => (await projects.ask(root, listSetAsideJobs, {})).items.length === 0, 'its end');
    const again = projects.ask(root, retrySetAsideJob, { job_id: items[0]!.id });
    expect((await refusal(again)).code).toBe('set_aside_job.not_found');
  } finally {
    await worker.close();
    redis.disconnect();
  }
});
