import {
  Access,
  cancelPipeline,
  commitStatusErrors,
  contentErrors,
  createPipeline,
  getPipeline,
  listCommitStatuses,
  listJobs,
  listPipelines,
  type ParsedOf,
  pipelineChanged,
  pipelineErrors,
  retryPipeline,
  setCommitStatus,
} from '@moothall/contracts';
import { contextOf, eventually } from '@moothall/testing';
import { plainFile } from './ci-stub-services';
import { CiUnderTest } from './ci-under-test';

type StatusReport = Partial<Omit<ParsedOf<typeof setCommitStatus>, 'id' | 'sha'>>;

describe('statuses of commits', () => {
  const sha = 'a'.repeat(40);
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start({ ROLES: 'api' });
  });
  afterAll(() => ci?.stop());

  const scene = (over = {}) => {
    const project = ci.stubs.project(over, plainFile);
    const developer = ci.stubs.as(ci.stubs.user('developer'), project);
    const say = (
      state: NonNullable<StatusReport['state']>,
      { sha: of = sha, ...rest }: StatusReport & { sha?: string } = {},
    ) => ci.call(setCommitStatus, { id: '1', sha: of, state, ...rest }, developer);
    const list = async (rest: Partial<ParsedOf<typeof listCommitStatuses>> = {}) =>
      (await ci.call(listCommitStatuses, { id: '1', sha, ...rest }, developer)).items;
    const pipelines = async () => (await ci.call(listPipelines, { id: '1' }, developer)).items;
    return { project, developer, say, list, pipelines };
  };

  it('create a pipeline if the commit has none, and set its status', async () => {
    const { say, list, pipelines, developer } = scene();
    const reported = await say('running', {
      context: 'ci/elsewhere',
      target_url: 'https://ci.test/1',
      description: 'Soon',
    });
    expect(reported).toMatchObject({
      sha,
      ref: 'main',
      status: 'running',
      name: 'ci/elsewhere',
      target_url: 'https://ci.test/1',
      description: 'Soon',
      finished_at: null,
      coverage: null,
      allow_failure: false,
      author: { username: 'developer' },
    });
    expect(reported.started_at).not.toBeNull();
    const [pipeline, ...others] = await pipelines();
    expect([pipeline, others]).toMatchObject([
      { id: reported.pipeline_id, source: 'external', status: 'running', sha },
      [],
    ]);
    expect(await say('success', { name: 'ci/elsewhere', coverage: 80.5 })).toMatchObject({
      id: reported.id,
      status: 'success',
      coverage: 80.5,
      description: 'Soon',
    });
    expect(await list()).toMatchObject([{ id: reported.id, status: 'success' }]);
    const ended = await ci.call(getPipeline, { id: '1', pipeline_id: reported.pipeline_id }, developer);
    expect(ended).toMatchObject({ status: 'success', tag: false });
    const events = () =>
      ci.under.events(pipelineChanged).filter(({ data }) => data.pipeline_id === reported.pipeline_id);
    await eventually(() => events().length === 2, 'the events of its beginning and its end');
    expect((await ci.call(listJobs, { id: '1' }, developer)).items).toEqual([]);
  });

  it('appear beside the jobs of a pipeline, which waits for them', async () => {
    const { say, list, developer } = scene();
    const pipeline = await ci.call(createPipeline, { id: '1', ref: 'main' }, developer);
    const reported = await say('failed');
    expect(reported).toMatchObject({ pipeline_id: pipeline.id, name: 'default' });
    expect(await list()).toMatchObject([
      { name: 'build', status: 'pending' },
      { id: reported.id, status: 'failed' },
    ]);
    const reversed = await list({ sort: 'desc', per_page: 1 });
    expect(reversed).toMatchObject([{ id: reported.id }]);
    expect((await list({ name: 'build' })).map(({ target_url }) => target_url)).toEqual([
      expect.stringContaining('/-/jobs/'),
    ]);
    expect(await list({ stage: 'external' })).toMatchObject([{ id: reported.id }]);
    expect(await list({ ref: 'other' })).toEqual([]);
    const retried = await ci.call(retryPipeline, { id: '1', pipeline_id: pipeline.id }, developer);
    expect(retried.status).toBe('pending');
    await say('running', { name: 'more' });
    const canceled = await ci.call(cancelPipeline, { id: '1', pipeline_id: pipeline.id }, developer);
    expect(canceled.status).toBe('failed');
    expect((await list({ all: true })).map(({ name, status }) => [name, status])).toEqual([
      ['build', 'canceled'],
      ['default', 'failed'],
      ['more', 'canceled'],
    ]);
  });

  it('are replaced after they have ended, and refuse a repeated status', async () => {
    const { say, list } = scene();
    const first = await say('failed');
    const second = await say('running');
    expect(second.id).not.toBe(first.id);
    await expect(say('running')).rejects.toMatchObject(
      commitStatusErrors.notReached(
        'Cannot transition status via :run from :running (Reason(s): Status cannot transition via "run")',
      ),
    );
    expect((await list()).map(({ id }) => id)).toEqual([second.id]);
    expect((await list({ all: true })).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it('are all stored if many arrive concurrently for one pipeline', async () => {
    const { say, list, pipelines } = scene();
    await Promise.all(Array.from({ length: 20 }, (_, n) => say('success', { name: `check ${n}` })));
    expect(await pipelines()).toHaveLength(1);
    expect(new Set((await list({ per_page: 100 })).map(({ name }) => name)).size).toBe(20);
  });

  it('are of commits, refs and pipelines that there are', async () => {
    const { say, developer } = scene();
    const unknown = '0'.repeat(40);
    await expect(say('success', { sha: unknown })).rejects.toMatchObject(contentErrors.commitNotFound());
    await expect(ci.call(listCommitStatuses, { id: '1', sha: unknown }, developer)).rejects.toMatchObject(
      contentErrors.commitNotFound(),
    );
    await expect(say('success', { sha: 'd'.repeat(40) })).rejects.toMatchObject(commitStatusErrors.noReference());
    await expect(say('success', { ref: 'gone' })).rejects.toMatchObject(commitStatusErrors.noReference());
    await expect(say('success', { pipeline_id: 999_999 })).rejects.toMatchObject(pipelineErrors.notFound());
  });

  it('of protected branches require users who may push there', async () => {
    const { project, say, list } = scene();
    ci.stubs.protect(project, 'main');
    await expect(say('success')).rejects.toMatchObject({ code: 'common.forbidden' });
    const maintainer = ci.stubs.as(ci.stubs.user('maintainer'), project, Access.Maintainer);
    await ci.call(setCommitStatus, { id: '1', sha, state: 'success' }, maintainer);
    await expect(say('success')).rejects.toMatchObject({ code: 'common.forbidden' });
    expect(await list()).toHaveLength(1);
  });

  it('are read by readers of the pipelines', async () => {
    const { project, say } = scene({ publicBuilds: false, visibility: 'public' });
    await say('success');
    const guest = ci.stubs.as(ci.stubs.user('guest'), project, Access.Guest);
    const list = (context: ReturnType<typeof contextOf>) => ci.call(listCommitStatuses, { id: '1', sha }, context);
    await expect(list(guest)).rejects.toMatchObject({ code: 'common.forbidden' });
    await expect(list(ci.stubs.as(undefined, project, Access.None))).rejects.toMatchObject({
      code: 'common.unauthorized',
    });
    expect((await list(ci.stubs.as(guest.caller, project, Access.Developer))).items).toHaveLength(1);
  });
});
