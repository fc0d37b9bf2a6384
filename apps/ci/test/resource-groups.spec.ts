import {
  Access,
  cancelPipeline,
  createPipeline,
  deletePipeline,
  getPipeline,
  getResourceGroup,
  listPipelineJobs,
  listResourceGroups,
  listUpcomingJobs,
  type ProcessMode,
  playJob,
  projectDeleted,
  registerRunner,
  reportJob,
  requestJob,
  resetProjectRegistrationToken,
  resourceGroupErrors,
  updateResourceGroup,
} from '@moothall/contracts';
import { contextOf, eventually } from '@moothall/testing';
import { HandOnResource } from '../src/resource-group/operations/hand-on-resource';
import { CiUnderTest } from './ci-under-test';

const file = (over: object = {}, others: object = {}) =>
  JSON.stringify({ deploy: { script: 'true', resource_group: 'production', ...over }, ...others });

describe('a resource group', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scene = async (content = file()) => {
    const project = ci.stubs.project({}, content);
    const as = ci.stubs.as(ci.stubs.user('maintainer'), project, Access.Maintainer);
    const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, as);
    const runner = await ci.call(registerRunner, { token }, contextOf({}));
    const run = () => ci.call(createPipeline, { id: '1', ref: 'main' }, as);
    const take = () => ci.call(requestJob, { token: runner.token }, contextOf({}));
    const taken = async () => {
      const jobs: Awaited<ReturnType<typeof take>>[] = [];
      await eventually(async () => jobs.push(await take()) > 0 && jobs.at(-1) !== null, 'a job for the runner');
      return jobs.at(-1)!;
    };
    const end = (job: { id: number; token: string }) =>
      ci.call(reportJob, { id: job.id, token: job.token, state: 'success' }, contextOf({}));
    const jobsOf = async (pipeline_id: number) => (await ci.call(listPipelineJobs, { id: '1', pipeline_id }, as)).items;
    const statusOf = async (pipeline_id: number) => (await ci.call(getPipeline, { id: '1', pipeline_id }, as)).status;
    const setMode = (process_mode: ProcessMode) =>
      ci.call(updateResourceGroup, { id: '1', key: 'production', process_mode }, as);
    const upcoming = async () =>
      (await ci.call(listUpcomingJobs, { id: '1', key: 'production' }, as)).items.map((job) => job.pipeline.id);
    return { project, as, run, take, taken, end, jobsOf, statusOf, setMode, upcoming };
  };
  const pipelineOf = async (s: Awaited<ReturnType<typeof scene>>, made: { id: number }[], jobId: number) => {
    for (const { id } of made) if ((await s.jobsOf(id)).some((job) => job.id === jobId)) return id;
    return undefined;
  };

  it('lets one job of it run at a time, of all pipelines of the project', async () => {
    const s = await scene();
    const made = [await s.run(), await s.run(), await s.run()];
    const first = await s.taken();
    expect(await s.take()).toBeNull();
    expect(await s.statusOf(made[1]!.id)).toBe('waiting_for_resource');
    expect(await s.jobsOf(made[2]!.id)).toMatchObject([{ status: 'waiting_for_resource' }]);
    expect(await s.upcoming()).toEqual([made[1]!.id, made[2]!.id]);
    await s.end(first);
    const second = await s.taken();
    expect(await pipelineOf(s, made, second.id)).toBe(made[1]!.id);
    expect(await s.take()).toBeNull();
    await s.end(second);
    await s.end(await s.taken());
    for (const { id } of made) expect(await s.statusOf(id)).toBe('success');
  });

  it('never runs two jobs, for any number of replicas that receive the event', async () => {
    const s = await scene();
    const made = await Promise.all(Array.from({ length: 6 }, s.run));
    const handing = ci.under.running.app.get(HandOnResource, { strict: false });
    let running = 0;
    for (const _ of made) {
      await Promise.all(Array.from({ length: 8 }, () => handing.handOn(s.project.id, 'production')));
      const offered = (await Promise.all(Array.from({ length: 4 }, s.take))).filter((job) => job !== null);
      expect(offered.length).toBe(1);
      running += offered.length;
      await s.end(offered[0]!);
    }
    expect(running).toBe(6);
  });

  it.each([
    ['oldest_first', [0, 1, 2]],
    ['newest_first', [2, 1, 0]],
    ['newest_ready_first', [2, 1, 0]],
  ] as const)('hands on in the order of %s', async (mode, order) => {
    const s = await scene();
    const holder = await s.run();
    const held = await s.taken();
    await s.setMode(mode);
    const made = [await s.run(), await s.run(), await s.run()];
    expect(await s.upcoming()).toEqual(order.map((at) => made[at]!.id));
    await s.end(held);
    for (const at of order) {
      const next = await s.taken();
      expect(await pipelineOf(s, made, next.id)).toBe(made[at]!.id);
      await s.end(next);
    }
    expect(await s.statusOf(holder.id)).toBe('success');
  });

  it('waits for the oldest pipeline in that mode, and continues after the mode changes', async () => {
    const s = await scene(file({ stage: 'deploy' }, { build: { script: 'true', stage: 'build', tags: ['slow'] } }));
    const older = await s.run();
    await s.setMode('oldest_first');
    ci.stubs.setFile(s.project, file());
    await s.run();
    await eventually(async () => (await s.upcoming()).length === 2);
    expect(await s.upcoming()).toContain(older.id);
    expect(await s.take()).toBeNull();
    await s.setMode('unordered');
    expect(await s.take()).not.toBeNull();
  });

  it('continues when the job that has it is canceled, or deleted with its pipeline', async () => {
    const s = await scene();
    const [first, second, third] = [await s.run(), await s.run(), await s.run()];
    const isNext = ({ id }: { id: number }) =>
      eventually(async () => (await s.jobsOf(id))[0]?.status === 'pending', 'the next job');
    await isNext(first!);
    await ci.call(cancelPipeline, { id: '1', pipeline_id: first!.id }, s.as);
    await isNext(second!);
    const owning = { ...s.as, project: { ...s.project, accessLevel: Access.Owner } };
    await ci.call(deletePipeline, { id: '1', pipeline_id: second!.id }, owning);
    await ci.under.running.app.get(HandOnResource, { strict: false }).run();
    await isNext(third!);
  });

  it('has a name with variables, also of the environment, and applies to manual jobs', async () => {
    const place = { name: 'review/$CI_COMMIT_REF_NAME' };
    const s = await scene(file({ resource_group: '$CI_ENVIRONMENT_SLUG', environment: place, when: 'manual' }));
    const [{ id: pipelineId }, other] = [await s.run(), await s.run()];
    const groups = await ci.call(listResourceGroups, { id: '1' }, s.as);
    expect(groups.items).toMatchObject([{ key: expect.stringMatching(/^review-main-/), process_mode: 'unordered' }]);
    const [job] = await s.jobsOf(pipelineId);
    const [late] = await s.jobsOf(other.id);
    await ci.call(playJob, { id: '1', job_id: job!.id }, s.as);
    await ci.call(playJob, { id: '1', job_id: late!.id }, s.as);
    expect((await s.taken()).variables).toContainEqual(
      expect.objectContaining({ key: 'CI_ENVIRONMENT_NAME', value: 'review/main' }),
    );
    expect(await s.take()).toBeNull();
  });

  it('exists if a job names it, cannot be changed in archived projects, and is deleted with the project', async () => {
    const s = await scene();
    await expect(ci.call(getResourceGroup, { id: '1', key: 'production' }, s.as)).rejects.toMatchObject({
      value: { code: resourceGroupErrors.notFound.code },
    });
    await s.run();
    expect(await ci.call(getResourceGroup, { id: '1', key: 'production' }, s.as)).toMatchObject({ key: 'production' });
    const archived = { ...s.as, project: { ...s.as.project!, isArchived: true } };
    const change = { id: '1', key: 'production', process_mode: 'oldest_first' as const };
    await expect(ci.call(updateResourceGroup, change, archived)).rejects.toMatchObject({
      value: { code: 'project.archived' },
    });
    await ci.under.emit(projectDeleted, { project_id: s.project.id, full_path: 'group/app', storage: 'default' });
    await eventually(async () => (await ci.call(listResourceGroups, { id: '1' }, s.as)).items.length === 0);
  });
});
