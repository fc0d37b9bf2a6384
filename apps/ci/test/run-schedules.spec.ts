import {
  Access,
  createSchedule,
  createScheduleVariable,
  getPipeline,
  getSchedule,
  jobChanged,
  listPipelineVariables,
  listSchedulePipelines,
  memberChanged,
  type ProjectRef,
  pipelineChanged,
  playSchedule,
  projectDeleted,
  userChanged,
  userDeleted,
} from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

const daily = { id: '1', description: 'nightly', ref: 'main', cron: '0 1 * * *' };

describe('a due schedule', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scene = async (over = {}, file?: string | null, project: Partial<ProjectRef> = {}) => {
    const placed = ci.stubs.project(project, file);
    const owner = ci.stubs.user('owner');
    const context = ci.stubs.as(owner, placed);
    const schedule = await ci.call(createSchedule, { ...daily, ...over }, context);
    const target = { id: '1', pipeline_schedule_id: schedule.id };
    return {
      project: placed,
      owner,
      context,
      schedule,
      target,
      read: () => ci.call(getSchedule, target, context),
      pipelines: async () => (await ci.call(listSchedulePipelines, target, context)).items,
    };
  };
  type Scene = Awaited<ReturnType<typeof scene>>;

  const ran = ({ read }: Scene) =>
    eventually(async () => {
      const seen = await read();
      return seen.next_run_at! > new Date().toISOString() ? seen : undefined;
    }, 'the run of the schedule');

  const deactivated = ({ read }: Scene) =>
    eventually(async () => {
      const seen = await read();
      return seen.active ? undefined : seen.deactivation_reason;
    }, 'the end of the schedule');

  // Regression: it created a failed pipeline each time, for ever.
  it('is disabled when its branch is deleted', async () => {
    const s = await scene({ ref: 'gone' });
    await ci.makeDue(s.schedule.id);
    expect(await deactivated(s)).toBe('The branch or tag no longer exists.');
    expect(await s.pipelines()).toEqual([]);
  });

  it('is disabled when its project is deleted', async () => {
    const s = await scene();
    ci.stubs.removeProject(s.project);
    await ci.makeDue(s.schedule.id);
    expect(await deactivated(s)).toBe('The project no longer exists.');
  });

  it('is disabled when its branch is protected against its owner', async () => {
    const s = await scene();
    ci.stubs.protect(s.project, 'main');
    await ci.makeDue(s.schedule.id);
    expect(await deactivated(s)).toBe('The owner may not run pipelines on the protected branch or tag.');
    expect(await s.pipelines()).toEqual([]);
  });

  it('makes one pipeline for all the times it missed, and moves on', async () => {
    const s = await scene();
    await ci.makeDue(s.schedule.id, new Date(Date.now() - 3 * 24 * 60 * 60 * 1000));
    expect((await ran(s)).next_run_at).toBe(s.schedule.next_run_at);
    const [pipeline, ...others] = await s.pipelines();
    expect(others).toEqual([]);
    expect(pipeline).toMatchObject({ source: 'schedule', ref: 'main', status: 'pending', sha: 'a'.repeat(40), iid: 1 });
    expect((await s.read()).last_pipeline).toEqual(pipeline);
    const published = ci.under.events(pipelineChanged).filter(({ data }) => data.pipeline_id === pipeline!.id);
    expect(published).toMatchObject([{ data: { status: 'pending', source: 'schedule', user_id: s.owner.id } }]);
    const jobs = ci.under.events(jobChanged).filter(({ data }) => data.pipeline_id === pipeline!.id);
    expect(jobs).toMatchObject([{ data: { name: 'build', status: 'pending' } }]);
  });

  it('whose worker died between pipeline and next time continues without a second pipeline', async () => {
    const s = await scene();
    const dueAt = new Date(Date.now() - 60_000);
    await ci.makeDue(s.schedule.id, dueAt);
    await ran(s);
    await ci.makeDue(s.schedule.id, dueAt);
    expect((await ran(s)).next_run_at).toBe(s.schedule.next_run_at);
    expect(await s.pipelines()).toHaveLength(1);
  });

  it('hands its variables on', async () => {
    const s = await scene({}, 'job: { script: x, rules: [{ if: $MODE == "full" }] }');
    await ci.call(createScheduleVariable, { ...s.target, key: 'MODE', value: 'full' }, s.context);
    await ci.makeDue(s.schedule.id);
    const { last_pipeline } = await ran(s);
    const variables = await ci.call(listPipelineVariables, { id: '1', pipeline_id: last_pipeline!.id }, s.context);
    expect(variables).toEqual([{ key: 'MODE', value: 'full', variable_type: 'env_var' }]);
  });

  it.each([
    ['without a pipeline file', null, 'main', 'Missing CI config file'],
    ['with a broken pipeline file', 'a: [', 'main', 'Flow sequence'],
    ['without jobs for it', 'a: { script: x, only: [tags] }', 'main', 'No stages / jobs for this pipeline.'],
  ])('%s creates a failed pipeline with the reason', async (_name, file, ref, reason) => {
    const s = await scene({ ref }, file);
    await ci.makeDue(s.schedule.id);
    const { last_pipeline } = await ran(s);
    const pipeline = await ci.call(getPipeline, { id: '1', pipeline_id: last_pipeline!.id }, s.context);
    expect(pipeline).toMatchObject({ status: 'failed', yaml_errors: expect.stringContaining(reason) });
  });

  it('waits for a repository that does not answer', async () => {
    const s = await scene();
    ci.stubs.isRepositoryThere = false;
    const asked = ci.stubs.asked;
    await ci.makeDue(s.schedule.id);
    await eventually(() => ci.stubs.asked > asked, 'the question to the repository');
    expect(await s.pipelines()).toEqual([]);
    ci.stubs.isRepositoryThere = true;
    await ran(s);
    expect(await s.pipelines()).toHaveLength(1);
  });

  it('of an archived project waits without a pipeline', async () => {
    const s = await scene({}, undefined, { isArchived: false });
    ci.stubs.replace({ ...s.project, isArchived: true });
    await ci.makeDue(s.schedule.id);
    expect((await ran(s)).active).toBe(true);
    expect(await s.pipelines()).toEqual([]);
  });

  it('is disabled when its owner loses access', async () => {
    const s = await scene();
    ci.stubs.setLevel(s.owner, s.project, Access.Reporter);
    await ci.makeDue(s.schedule.id);
    expect(await deactivated(s)).toBe('The owner may no longer run pipelines in the project.');
    expect(await s.pipelines()).toEqual([]);
  });

  it('that is changed before it runs is due at another time', async () => {
    const s = await scene();
    await ci.schedules.updateOne({ _id: s.schedule.id }, { $set: { isActive: false } });
    await ci.makeDue(s.schedule.id);
    const other = await scene();
    await ci.makeDue(other.schedule.id);
    await ran(other);
    expect(await s.pipelines()).toEqual([]);
  });

  it('can be played without another next run', async () => {
    const s = await scene();
    const player = ci.stubs.as(ci.stubs.user('player'), s.project);
    expect(await ci.call(playSchedule, s.target, player)).toEqual({ message: '201 Created' });
    const { last_pipeline, next_run_at } = await s.read();
    expect(next_run_at).toBe(s.schedule.next_run_at);
    const pipeline = await ci.call(getPipeline, { id: '1', pipeline_id: last_pipeline!.id }, player);
    expect(pipeline).toMatchObject({ source: 'schedule', user: { username: 'player' } });
  });

  describe('is informed that its owner', () => {
    it('was blocked', async () => {
      const s = await scene();
      ci.stubs.setState(s.owner, 'blocked');
      await ci.under.emit(userChanged, { user_id: s.owner.id, username: 'owner', state: 'blocked' });
      expect(await deactivated(s)).toBe('The owner is blocked.');
    });

    it('left the project', async () => {
      const s = await scene();
      ci.stubs.setLevel(s.owner, s.project, Access.None);
      const left = { source_type: 'group' as const, source_id: 1, user_id: s.owner.id, access_level: null };
      await ci.under.emit(memberChanged, left);
      expect(await deactivated(s)).toBe('The owner may no longer run pipelines in the project.');
    });

    it('was deleted, and assigns the pipelines to the ghost user', async () => {
      const s = await scene();
      await ci.call(playSchedule, s.target, s.context);
      const ghost = ci.stubs.user('ghost');
      ci.stubs.removeUser(s.owner);
      const gone = { user_id: s.owner.id, username: 'owner', hard_delete: false, ghost_user_id: ghost.id };
      await ci.under.emit(userDeleted, gone);
      expect(await deactivated(s)).toBe('The owner no longer exists.');
      await eventually(async () => (await s.read()).owner === null, 'the schedule without an owner');
      const { last_pipeline } = await s.read();
      const pipelineOf = () => ci.call(getPipeline, { id: '1', pipeline_id: last_pipeline!.id }, s.context);
      await eventually(async () => (await pipelineOf()).user?.username === 'ghost', 'the pipeline of the ghost');
    });
  });

  it('is deleted with its project, and so are its pipelines', async () => {
    const s = await scene();
    await ci.call(playSchedule, s.target, s.context);
    await ci.under.emit(projectDeleted, { project_id: s.project.id, full_path: 'group/app', storage: 'default' });
    await eventually(async () => (await ci.schedules.countDocuments({ projectId: s.project.id })) === 0);
    await eventually(async () => (await ci.pipelines.countDocuments({ projectId: s.project.id })) === 0);
  });
});
