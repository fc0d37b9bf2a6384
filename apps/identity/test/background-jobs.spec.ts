import { retryBackgroundJob, showBackgroundJobs, showSignIn, signIn } from '@moothall/contracts';
import { AllQueues, connectionOf, Jobs, jobQueue } from '@moothall/jobs';
import { eventually, type ServiceUnderTest } from '@moothall/testing';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { TestBrowser } from './browser';
import { makeUser, startIdentity } from './service-under-test';

const password = 'correct horse';
const hostile = '<script>alert(1)</script>';
const poisonous = jobQueue<object>({ name: 'test.poisonous' });

let identity: ServiceUnderTest;
let queues: AllQueues;
let worker: Worker;
let isPoisonous = true;
beforeAll(async () => {
  identity = await startIdentity();
  queues = identity.running.app.get(AllQueues, { strict: false });
  const url = identity.env.REDIS_URL!;
  const queue = identity.running.app.get(Jobs, { strict: false }).open(poisonous);
  const redis = new Redis(url);
  await redis.sadd('moothall:queues', queue.name);
  redis.disconnect();
  for (const jobId of ['one', hostile])
    await queue.add(queue.name, { secret: 's3cret' }, { jobId, removeOnFail: false });
  const work = async () => {
    if (isPoisonous) throw new Error('The process that worked on it was lost twice.');
  };
  worker = new Worker(queue.name, work, { connection: connectionOf(url), prefix: 'moothall' });
  await eventually(async () => (await queues.setAside()).length === 2, 'failed jobs');
}, 60_000);
afterAll(async () => {
  await worker?.close();
  await identity?.stop();
});

async function signedIn(over: { admin?: boolean } = {}): Promise<TestBrowser> {
  const { username } = await makeUser(identity, over);
  const browser = new TestBrowser(identity);
  await browser.submit(showSignIn, {}, signIn, { login: username, password });
  return browser;
}

it('redirects anonymous visitors to the sign-in, and is not found for other users', async () => {
  const visitor = await new TestBrowser(identity).ask(showBackgroundJobs, {});
  expect(visitor).toMatchObject({ status: 303, headers: { location: expect.stringMatching(/^\/users\/sign_in\?/) } });
  const other = await signedIn();
  expect(await other.ask(showBackgroundJobs, {})).toMatchObject({
    status: 404,
    body: expect.not.stringContaining('test.poisonous'),
  });
  const sent = await other.submit(showBackgroundJobs, {}, retryBackgroundJob, { job: 'test.poisonous:one' });
  expect(sent.status).toBe(404);
  expect(await queues.setAside()).toHaveLength(2);
});

it('shows queues and failed jobs without their data, and retries them', async () => {
  const browser = await signedIn({ admin: true });
  const { status, body } = await browser.ask(showBackgroundJobs, {});
  expect(status).toBe(200);
  expect(body).toContain('<strong>test.poisonous</strong>: 0 waiting, 0 active, 0 delayed, 2 failed');
  expect(body).toContain('<code>test.poisonous:one</code>');
  for (const never of [hostile, 's3cret']) expect(body).not.toContain(never);

  const forged = await browser.ask(retryBackgroundJob, { csrf: 'made by another site', job: 'test.poisonous:one' });
  expect(forged.status).toBe(422);
  expect(await queues.setAside()).toHaveLength(2);
  isPoisonous = false;
  const again = { job: 'test.poisonous:one' };
  const retried = await browser.submit(showBackgroundJobs, {}, retryBackgroundJob, again);
  expect(retried.body).toContain('A job of test.poisonous will be retried.');
  await eventually(async () => (await queues.setAside()).length === 1, 'its end');
  const gone = await browser.submit(showBackgroundJobs, {}, retryBackgroundJob, again);
  expect(gone.body).toContain('That job is no longer a failed job.');
});
