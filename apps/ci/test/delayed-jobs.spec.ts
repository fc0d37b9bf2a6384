import {
  Access,
  cancelJob,
  createPipeline,
  getPipeline,
  listJobs,
  listPipelineJobs,
  playJob,
  registerRunner,
  requestJob,
  resetProjectRegistrationToken,
  retryJob,
} from '@moothall/contracts';
import { Jobs } from '@moothall/jobs';
import { contextOf, eventually } from '@moothall/testing';
import { delayedJobs } from '../src/job/delayed-jobs';
import { StartDelayedJobs } from '../src/job/start-delayed-jobs';
import { CiUnderTest } from './ci-under-test';

const delayedBy = (start_in: string, over: object = {}) =>
  JSON.stringify({ deploy: { script: 'true', when: 'delayed', start_in, ...over } });

describe('a delayed job', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scene = async (content: string) => {
    const project = ci.stubs.project({}, content);
    const as = ci.stubs.as(ci.stubs.user('maintainer'), project, Access.Maintainer);
    const { id: pipeline_id } = await ci.call(createPipeline, { id: '1', ref: 'main' }, as);
    const job = async () => (await ci.call(listPipelineJobs, { id: '1', pipeline_id }, as)).items[0]!;
    const { id: job_id } = await job();
    const statusOf = async () => [
      (await ci.call(getPipeline, { id: '1', pipeline_id }, as)).status,
      (await job()).status,
    ];
    return { project, as, pipeline_id, target: { id: '1', job_id }, job, statusOf };
  };
  const queued = (jobId: number) => ci.under.running.app.get(Jobs).open(delayedJobs).getJob(`job ${jobId}`);
  const makeDue = (pipelineId: number) => {
    const past = new Date(Date.now() - 1000);
    return ci.pipelines.updateOne({ _id: pipelineId }, { $set: { 'jobs.0.scheduledAt': past, nextStartAt: past } });
  };

  it('waits, begins by itself, and is a job of a runner then', async () => {
    const s = await scene(delayedBy('1 day'));
    expect(await s.statusOf()).toEqual(['scheduled', 'scheduled']);
    const scheduled = await ci.call(listJobs, { id: '1', scope: ['scheduled'] }, s.as);
    expect(scheduled.items.map(({ id }) => id)).toEqual([s.target.job_id]);
    const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, s.as);
    const runner = await ci.call(registerRunner, { token }, contextOf({}));
    const take = () => ci.call(requestJob, { token: runner.token }, contextOf({}));
    expect(await take()).toBeNull();
    await eventually(async () => (await queued(s.target.job_id)) !== undefined, 'the job in the queue');
    await makeDue(s.pipeline_id);
    await (await queued(s.target.job_id))!.promote();
    await eventually(async () => (await s.statusOf())[1] === 'pending', 'the job to begin');
    expect(await take()).toMatchObject({ id: s.target.job_id });
    expect((await ci.pipelines.findById(s.pipeline_id).lean())!.nextStartAt).toBeUndefined();
  });

  it('by a rule begins once if the queue has lost it, or has it twice', async () => {
    const s = await scene(
      JSON.stringify({ deploy: { script: 'true', rules: [{ when: 'delayed', start_in: '1 day' }] } }),
    );
    await eventually(async () => (await queued(s.target.job_id)) !== undefined, 'the job in the queue');
    const { delay } = (await queued(s.target.job_id))!;
    expect(delay).toBeGreaterThan(86_000_000);
    const starting = ci.under.running.app.get(StartDelayedJobs, { strict: false });
    await starting.start({ jobId: s.target.job_id });
    expect(await s.statusOf()).toEqual(['scheduled', 'scheduled']);
    await (await queued(s.target.job_id))!.remove();
    await makeDue(s.pipeline_id);
    await Promise.all([starting.run(), starting.run(), starting.start({ jobId: s.target.job_id })]);
    expect(await s.statusOf()).toEqual(['pending', 'pending']);
    await starting.start({ jobId: 999_999 });
  });

  it('starts immediately when it is played, and does not wait again when it is retried', async () => {
    const s = await scene(delayedBy('1 day'));
    expect(await ci.call(playJob, s.target, s.as)).toMatchObject({ status: 'pending' });
    await ci.call(cancelJob, s.target, s.as);
    expect(await ci.call(retryJob, s.target, s.as)).toMatchObject({ status: 'pending' });
  });

  it('that was canceled never begins', async () => {
    const s = await scene(delayedBy('1 day'));
    expect(await ci.call(cancelJob, s.target, s.as)).toMatchObject({ status: 'canceled' });
    await makeDue(s.pipeline_id);
    await ci.under.running.app.get(StartDelayedJobs, { strict: false }).start({ jobId: s.target.job_id });
    expect(await s.statusOf()).toEqual(['canceled', 'canceled']);
  });
});
