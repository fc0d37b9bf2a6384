import {
  Access,
  cancelPipeline,
  createPipeline,
  deletePipeline,
  getPipeline,
  listJobs,
  listPipelineBridges,
  listPipelineJobs,
  listPipelines,
  listPipelineVariables,
  type ProjectRef,
  playJob,
  registerRunner,
  reportJob,
  requestJob,
  resetProjectRegistrationToken,
  retryJob,
} from '@moothall/contracts';
import { contextOf, eventually } from '@moothall/testing';
import { FollowBridges } from '../src/bridge/follow-bridges';
import { MakeDownstream } from '../src/bridge/make-downstream';
import { CiUnderTest } from './ci-under-test';

const yaml = (file: object) => JSON.stringify(file);
const building = yaml({ build: { script: 'make' } });

describe('a job that triggers a pipeline', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start();
  });
  afterAll(() => ci?.stop());

  const scene = async (file: object, level: 0 | 30 | 40 = Access.Maintainer) => {
    const user = ci.stubs.user('maintainer');
    const target = ci.stubs.project({ path: 'target', fullPath: `group/target-${user.id}` }, building);
    const inTarget = ci.stubs.as(user, target, level);
    const content = yaml(file).replaceAll('TARGET', target.fullPath);
    const project = ci.stubs.project({}, content);
    const as = ci.stubs.as(user, project, Access.Maintainer);
    const { id: pipeline_id } = await ci.call(
      createPipeline,
      { id: '1', ref: 'main', variables: [{ key: 'GIVEN', value: 'by hand' }] },
      as,
    );
    const bridges = async () => (await ci.call(listPipelineBridges, { id: '1', pipeline_id }, as)).items;
    const ended = (name = 'down') =>
      eventually(async () => {
        const found = (await bridges()).find((one) => one.name === name)!;
        return ['success', 'failed', 'canceled'].includes(found.status) ? found : undefined;
      }, 'the end of the job');
    const begun = () =>
      eventually(async () => (await bridges()).find(({ downstream_pipeline }) => downstream_pipeline), 'a pipeline');
    const statusOf = async () => (await ci.call(getPipeline, { id: '1', pipeline_id }, as)).status;
    return { user, target, inTarget, project, as, pipeline_id, bridges, ended, begun, statusOf };
  };
  /** Runs the next job of a project. */
  const work = async (project: ProjectRef, as: ReturnType<typeof contextOf>, state: 'success' | 'failed') => {
    const { token } = await ci.call(resetProjectRegistrationToken, { id: String(project.id) }, as);
    const runner = await ci.call(registerRunner, { token }, contextOf({}));
    const job = (await ci.call(requestJob, { token: runner.token }, contextOf({})))!;
    await ci.call(reportJob, { id: job.id, token: job.token, state }, contextOf({}));
  };

  it('creates one in another project, with variables, and succeeds', async () => {
    const s = await scene({
      variables: { A: 'of $CI_COMMIT_REF_NAME' },
      down: { trigger: 'TARGET', variables: { B: '$A' } },
      after: { stage: 'deploy', script: 'true' },
    });
    const bridge = await s.ended();
    expect(bridge).toMatchObject({ status: 'success', downstream_pipeline: { source: 'pipeline', ref: 'main' } });
    const made = { id: '1', pipeline_id: bridge.downstream_pipeline!.id };
    expect(bridge.downstream_pipeline!.project_id).toBe(s.target.id);
    expect(await ci.call(listPipelineVariables, made, s.inTarget)).toEqual([
      { key: 'A', value: 'of main', variable_type: 'env_var' },
      { key: 'B', value: 'of $CI_COMMIT_REF_NAME', variable_type: 'env_var' },
    ]);
    const { items } = await ci.call(listPipelineJobs, { id: '1', pipeline_id: s.pipeline_id }, s.as);
    expect(items.map(({ name, status }) => [name, status])).toEqual([['after', 'pending']]);
    expect((await ci.call(listJobs, { id: '1' }, s.as)).items.map(({ name }) => name)).toEqual(['after']);
  });

  it('of a project that its readers do not see is shown without it', async () => {
    const s = await scene({ down: { trigger: 'TARGET' } });
    await s.ended();
    const other = ci.stubs.as(ci.stubs.user('other'), s.project, Access.Developer);
    const { items } = await ci.call(listPipelineBridges, { id: '1', pipeline_id: s.pipeline_id }, other);
    expect(items).toMatchObject([{ status: 'success', downstream_pipeline: null }]);
  });

  it('waits for the pipeline with strategy depend, and gets its status', async () => {
    for (const [state, end] of [
      ['success', 'success'],
      ['failed', 'failed'],
    ] as const) {
      const s = await scene({ down: { trigger: { project: 'TARGET', strategy: 'depend' } } });
      expect(await s.begun()).toMatchObject({ status: 'running' });
      expect(await s.statusOf()).toBe('running');
      await work(s.target, s.inTarget, state);
      expect(await s.ended()).toMatchObject({ status: end });
      expect(await s.statusOf()).toBe(end);
    }
  });

  it('creates a child pipeline of the same commit, which lists omit, and which is canceled with its parent', async () => {
    const s = await scene({
      down: { trigger: { include: 'child.yml', strategy: 'depend', forward: { pipeline_variables: true } } },
    });
    // The file was read late: the job has failed, and the pipeline shows the reason.
    const failed = await s.ended();
    expect(failed).toMatchObject({ status: 'failed', failure_reason: 'downstream_pipeline_creation_failed' });
    expect(await ci.call(getPipeline, { id: '1', pipeline_id: failed.downstream_pipeline!.id }, s.as)).toMatchObject({
      source: 'parent_pipeline',
      yaml_errors: expect.stringContaining('child.yml'),
    });
    ci.stubs.addFile(s.project, 'child.yml', building);
    await ci.call(retryJob, { id: '1', job_id: failed.id }, s.as);
    const child = await eventually(async () => {
      const [bridge] = await s.bridges();
      return bridge?.status === 'running' ? bridge.downstream_pipeline : undefined;
    }, 'the child');
    expect(child).toMatchObject({ source: 'parent_pipeline', project_id: s.project.id });
    const made = { id: '1', pipeline_id: child!.id };
    expect(await ci.call(listPipelineVariables, made, s.as)).toMatchObject([{ key: 'GIVEN', value: 'by hand' }]);
    const listed = async (input: object) => (await ci.call(listPipelines, { id: '1', ...input }, s.as)).items.length;
    expect([await listed({}), await listed({ source: 'parent_pipeline' })]).toEqual([1, 2]);
    await ci.call(cancelPipeline, { id: '1', pipeline_id: s.pipeline_id }, s.as);
    await eventually(
      async () => (await ci.call(getPipeline, made, s.as)).status === 'canceled',
      'the end of the child',
    );
  });

  it.each<[string, object, 0 | 30, string]>([
    ['that its user does not see', { trigger: 'TARGET' }, Access.None, 'downstream_bridge_project_not_found'],
    ['that is not there', { trigger: 'group/nowhere' }, Access.Developer, 'downstream_bridge_project_not_found'],
    [
      'of a branch that is gone',
      { trigger: { project: 'TARGET', branch: '$NAME' }, variables: { NAME: 'gone' } },
      Access.Developer,
      'downstream_pipeline_creation_failed',
    ],
  ])('fails if it is one %s', async (_what, down, level, failure_reason) => {
    const s = await scene({ down }, level);
    expect(await s.ended()).toMatchObject({ status: 'failed', failure_reason, downstream_pipeline: null });
  });

  it('of itself ends five deep', async () => {
    const user = ci.stubs.user('maintainer');
    const project = ci.stubs.project({ fullPath: `group/loop-${user.id}` });
    ci.stubs.setFile(project, yaml({ down: { trigger: project.fullPath } }));
    const as = ci.stubs.as(user, project, Access.Maintainer);
    await ci.call(createPipeline, { id: '1', ref: 'main' }, as);
    const last = await eventually(async () => {
      const { items } = await ci.call(listPipelines, { id: '1', status: 'failed' }, as);
      return items[0];
    }, 'the last');
    const { items } = await ci.call(listPipelineBridges, { id: '1', pipeline_id: last.id }, as);
    expect(items).toMatchObject([{ failure_reason: 'reached_max_descendant_pipelines_depth' }]);
    expect((await ci.call(listPipelines, { id: '1' }, as)).total).toBe(6);
  });

  it('creates at most a hundred pipelines', async () => {
    const s = await scene({ down: { trigger: 'TARGET', when: 'manual' } });
    const others = Array.from({ length: 100 }, (_, index) => -index - 1);
    await ci.pipelines.updateOne({ _id: s.pipeline_id }, { $set: { downstreamOf: others } });
    const [bridge] = await s.bridges();
    await ci.call(playJob, { id: '1', job_id: bridge!.id }, s.as);
    expect(await s.ended()).toMatchObject({ failure_reason: 'reached_max_pipeline_hierarchy_size' });
  });

  it('creates one pipeline, also if the job is processed concurrently or again', async () => {
    const s = await scene({ down: { trigger: 'TARGET' } });
    const { id } = await s.ended();
    const pipeline = (await ci.pipelines.findById(s.pipeline_id).lean())!;
    const making = ci.under.running.app.get(MakeDownstream, { strict: false });
    const job = pipeline.jobs.find((one) => one.id === id)!;
    await ci.pipelines.deleteMany({ projectId: s.target.id });
    const outcomes = await Promise.all([1, 2, 3].map(() => making.make({ job, pipeline })));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect((await ci.call(listPipelines, { id: '1' }, s.inTarget)).total).toBe(1);
  });

  it('ends if the pipeline that it waits for is deleted', async () => {
    const s = await scene({ down: { trigger: { project: 'TARGET', strategy: 'depend' } } });
    const bridge = await s.begun();
    const owner = ci.stubs.as(s.user, s.target, Access.Owner);
    await ci.call(deletePipeline, { id: '1', pipeline_id: bridge.downstream_pipeline!.id }, owner);
    await ci.under.running.app.get(FollowBridges, { strict: false }).run();
    expect(await s.ended()).toMatchObject({ status: 'failed' });
  });
});
