import {
  Access,
  appendJobTrace,
  authenticateJobToken,
  cancelPipeline,
  createPipeline,
  createPipelineOfMergeRequest,
  createRunner,
  deletePipeline,
  ensurePipelineOfMergeRequest,
  eraseJob,
  getCurrentJob,
  getJob,
  getJobTrace,
  getLatestPipeline,
  getPipeline,
  getPipelineTestReport,
  getRunner,
  jobErrors,
  listAllRunners,
  listJobs,
  listPipelineBridges,
  listPipelineJobs,
  listPipelines,
  listPipelinesOfRefs,
  listPipelineVariables,
  listProjectRunners,
  listRunnerJobs,
  type OperationContext,
  type ProjectRef,
  pipelineErrors,
  pipelineHookDetails,
  playJob,
  readJobLogEnd,
  registerRunner,
  reportJob,
  requestJob,
  resetInstanceRegistrationToken,
  resetProjectRegistrationToken,
  retryJob,
  retryPipeline,
  runnerErrors,
  runnerJobErrors,
  unregisterRunner,
  updateRunner,
  verifyRunner,
} from '@moothall/contracts';
import { sha256 } from '@moothall/secrets';
import { callerNamed, contextOf } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

const file = `
stages: [build, test]
build: { stage: build, script: [make] }
test: { stage: test, script: [make test] }
deploy: { stage: test, script: [make deploy], when: manual, tags: [production] }
`;
const nobody = contextOf({});

describe('pipelines', () => {
  let ci: CiUnderTest;
  beforeAll(async () => {
    ci = await CiUnderTest.start({ ROLES: 'api', REGISTRY_EXTERNAL_URL: 'https://registry.test:5050' });
  });
  afterAll(() => ci?.stop());

  /** A project with its own runner, so that tests do not share jobs. */
  const scene = async (over = {}, content = file) => {
    const project = ci.stubs.project(over, content);
    const developer = ci.stubs.as(ci.stubs.user('developer'), project);
    const maintainer = ci.stubs.as(ci.stubs.user('maintainer'), project, Access.Maintainer);
    const registration = await ci.call(resetProjectRegistrationToken, { id: '1' }, maintainer);
    const runner = await ci.call(registerRunner, { token: registration.token, tag_list: ['production'] }, nobody);
    const next = async () => (await ci.call(requestJob, { token: runner.token }, nobody)) ?? undefined;
    return { project, developer, maintainer, runner, next };
  };
  const create = ({ developer }: { developer: ReturnType<typeof contextOf> }) =>
    ci.call(createPipeline, { id: '1', ref: 'main' }, developer);
  const finish = async (
    job: { id: number; token: string } | undefined,
    state: 'success' | 'failed',
    exit_code?: number,
  ) =>
    ci.call(reportJob, { id: job!.id, token: job!.token, state, failure_reason: 'script_failure', exit_code }, nobody);
  const namesOf = (jobs: { name: string; status: string }[]) =>
    Object.fromEntries(jobs.map(({ name, status }) => [name, status]));

  it('run from the first to the last job, through runner requests', async () => {
    const s = await scene();
    const pipeline = await ci.call(
      createPipeline,
      { id: '1', ref: 'main', variables: [{ key: 'MODE', value: 'full' }] },
      s.developer,
    );
    expect(pipeline).toMatchObject({ status: 'pending', source: 'api', tag: false, yaml_errors: null, iid: 1 });
    const target = { id: '1', pipeline_id: pipeline.id };
    const build = await s.next();
    expect(build).toMatchObject({
      job_info: { name: 'build', stage: 'build', project_id: s.project.id },
      git_info: { ref: 'main', sha: 'a'.repeat(40), ref_type: 'branch' },
      steps: [{ name: 'script', script: ['make'] }],
    });
    const variables = Object.fromEntries(build!.variables.map(({ key, value }) => [key, value]));
    expect(variables).toMatchObject({
      CI: 'true',
      CI_JOB_NAME: 'build',
      CI_COMMIT_BRANCH: 'main',
      CI_PIPELINE_ID: String(pipeline.id),
      GITLAB_USER_LOGIN: 'developer',
      MODE: 'full',
    });
    expect(await s.next()).toBeUndefined();
    await finish(build, 'success');
    const test = await s.next();
    await finish(test, 'success');
    const done = await ci.call(getPipeline, target, s.developer);
    expect(done).toMatchObject({
      status: 'success',
      user: { username: 'developer' },
      detailed_status: { text: 'passed' },
    });
    expect(done.finished_at).not.toBeNull();
    const { items } = await ci.call(listPipelineJobs, target, s.developer);
    expect(namesOf(items)).toEqual({ build: 'success', test: 'success', deploy: 'manual' });
    expect(await ci.call(getLatestPipeline, { id: '1' }, s.developer)).toMatchObject({ id: pipeline.id });
    expect(await ci.call(listPipelineVariables, target, s.developer)).toHaveLength(1);
    expect(await ci.call(listPipelineBridges, target, s.developer)).toMatchObject({ items: [] });
    expect(await ci.call(getPipelineTestReport, target, s.developer)).toMatchObject({ total_count: 0 });
  });

  // Regression: developers could run jobs that they may not push, with the variables of protected branches.
  it('of a protected branch are run and changed, and their jobs played, only by users who may push there', async () => {
    const s = await scene();
    ci.stubs.protect(s.project, 'stable');
    const on = { id: '1', ref: 'stable' };
    await expect(ci.call(createPipeline, on, s.developer)).rejects.toMatchObject({
      value: {
        code: pipelineErrors.invalid.code,
        message: { base: ["Insufficient permissions for protected ref 'stable'"] },
      },
    });
    const { id } = await ci.call(createPipeline, on, s.maintainer);
    const { items } = await ci.call(listPipelineJobs, { id: '1', pipeline_id: id }, s.maintainer);
    const job = { id: '1', job_id: items[0]!.id };
    for (const refused of [
      ci.call(cancelPipeline, { id: '1', pipeline_id: id }, s.developer),
      ci.call(retryPipeline, { id: '1', pipeline_id: id }, s.developer),
      ci.call(playJob, job, s.developer),
      ci.call(retryJob, job, s.developer),
    ]) {
      await expect(refused).rejects.toThrow('forbidden');
    }
    expect(await ci.call(cancelPipeline, { id: '1', pipeline_id: id }, s.maintainer)).toMatchObject({
      status: 'canceled',
    });
  });

  it('of protected branches are the only ones that a protected runner gets', async () => {
    const s = await scene();
    ci.stubs.protect(s.project, 'stable');
    await ci.call(updateRunner, { runner_id: s.runner.id, access_level: 'ref_protected' }, s.maintainer);
    await create(s);
    expect(await s.next()).toBeUndefined();
    await ci.call(createPipeline, { id: '1', ref: 'stable' }, s.maintainer);
    expect(await s.next()).toMatchObject({ git_info: { ref: 'stable' } });
  });

  it.each([
    ['0', 0],
    ['7', 7],
    ['nonsense', 50],
  ])('clone with a depth of GIT_DEPTH=%s', async (value, depth) => {
    const s = await scene();
    await ci.call(createPipeline, { id: '1', ref: 'main', variables: [{ key: 'GIT_DEPTH', value }] }, s.developer);
    expect(await s.next()).toMatchObject({ git_info: { depth } });
  });

  it('provide the source and start time to jobs', async () => {
    const s = await scene({ fullPath: 'top/below/app', path: 'app' });
    const askedAt = new Date().toISOString();
    await create(s);
    const variables = Object.fromEntries((await s.next())!.variables.map(({ key, value }) => [key, value]));
    expect(variables).toMatchObject({
      CI_PROJECT_NAMESPACE: 'top/below',
      CI_PROJECT_ROOT_NAMESPACE: 'top',
      CI_CONFIG_PATH: '.gitlab-ci.yml',
      CI_COMMIT_REF_PROTECTED: 'false',
    });
    // In whole seconds.
    expect(variables.CI_JOB_STARTED_AT! >= askedAt.slice(0, 19)).toBe(true);
  });

  it('provide the container registry and its credentials to jobs', async () => {
    const s = await scene({ fullPath: 'Top/App', path: 'App' });
    await create(s);
    const { token, variables } = (await s.next())!;
    expect(variables.filter(({ key }) => key.startsWith('CI_REGISTRY'))).toMatchObject([
      { key: 'CI_REGISTRY', value: 'registry.test:5050', masked: false },
      { key: 'CI_REGISTRY_IMAGE', value: 'registry.test:5050/top/app' },
      { key: 'CI_REGISTRY_USER', value: 'gitlab-ci-token' },
      { key: 'CI_REGISTRY_PASSWORD', value: token, public: false, masked: true },
    ]);
  });

  it('have the name from their file, also in variables of jobs', async () => {
    const s = await scene({}, 'workflow: { name: "Build of $CI_COMMIT_BRANCH" }\njob: { script: x }');
    const { id, name } = await create(s);
    expect(name).toBe('Build of main');
    expect((await ci.call(listPipelines, { id: '1' }, s.developer)).items).toMatchObject([{ id, name }]);
    expect((await s.next())!.variables).toContainEqual(
      expect.objectContaining({ key: 'CI_PIPELINE_NAME', value: name }),
    );
    expect(await create(await scene())).toMatchObject({ name: null });
  });

  it('are described for hooks, with their jobs', async () => {
    const s = await scene({}, 'build: { script: x, environment: staging }\nlater: { script: y, when: manual }');
    const variables = [{ key: 'A', value: 'b' }];
    const { id } = await ci.call(createPipeline, { id: '1', ref: 'main', variables }, s.developer);
    const taken = (await s.next())!;
    await finish(taken, 'failed');
    const describe = (pipeline_id: number) =>
      ci.call(pipelineHookDetails, { pipeline_id }, contextOf({ project: s.project }));
    expect(await describe(id)).toMatchObject({
      queued_duration: expect.any(Number),
      variables: [{ key: 'A', value: 'b' }],
      commit: { message: 'Add all\n\nof it', author_name: 'Ada' },
      ...{ merge_request: null, source_pipeline: null },
      builds: [
        {
          ...{ id: taken.id, name: 'build', status: 'failed', failure_reason: 'script_failure', manual: false },
          ...{ environment: { name: 'staging', action: 'start' }, artifacts_file: { filename: null, size: null } },
          runner: { runner_type: expect.any(String), active: true },
        },
        { name: 'later', status: 'manual', manual: true, runner: null, environment: null },
      ],
    });
    expect(await describe(id + 1000)).toBeNull();
    const other = await scene();
    expect(await ci.call(pipelineHookDetails, { pipeline_id: id }, contextOf({ project: other.project }))).toBeNull();
  });

  it('pass if a script ended with an allowed exit code', async () => {
    const s = await scene({}, 'job: { script: x, allow_failure: { exit_codes: [3, 4] } }');
    const [passed, failed] = [await create(s), await create(s)];
    await finish(await s.next(), 'failed', 4);
    await finish(await s.next(), 'failed', 5);
    const stateOf = async ({ id }: { id: number }) =>
      (await ci.call(getPipeline, { id: '1', pipeline_id: id }, s.developer)).status;
    expect([await stateOf(passed), await stateOf(failed)]).toEqual(['success', 'failed']);
  });

  it('end when a job fails, if their file requests it', async () => {
    const jobs = 'a: { script: x }\nb: { script: x }\nc: { script: x, stage: deploy }';
    const s = await scene({}, `workflow: { auto_cancel: { on_job_failure: all } }\n${jobs}`);
    const { id } = await create(s);
    await finish(await s.next(), 'failed');
    const all = await ci.call(listPipelineJobs, { id: '1', pipeline_id: id }, s.developer);
    expect(namesOf(all.items)).toEqual({ a: 'failed', b: 'canceled', c: 'canceled' });
    expect(await s.next()).toBeUndefined();
  });

  it('send image and service options to runners', async () => {
    const service = '{ name: mysql, alias: db, command: [--verbose], variables: { A: 1 } }';
    const s = await scene({}, `job: { script: x, image: { name: node, pull_policy: never }, services: [${service}] }`);
    await create(s);
    expect(await s.next()).toMatchObject({
      image: { name: 'node', pull_policy: ['never'] },
      services: [{ name: 'mysql', alias: 'db', command: ['--verbose'], variables: [{ key: 'A', value: '1' }] }],
    });
  });

  // Regression: runners got jobs when they had only some of their tags.
  it('are not for a runner that has only some of the tags of a job', async () => {
    const s = await scene({}, 'job: { script: x, tags: [production, gpu] }');
    await create(s);
    expect(await s.next()).toBeUndefined();
    await ci.call(updateRunner, { runner_id: s.runner.id, tag_list: ['gpu', 'production', 'more'] }, s.maintainer);
    expect(await s.next()).toMatchObject({ job_info: { name: 'job' } });
  });

  // Regression: they were pipelines of the branch, with the source `api`.
  describe('of merge requests', () => {
    const content = `
plain: { script: x }
theirs: { script: x, only: [merge_requests] }
ruled: { script: x, rules: [{ if: $CI_MERGE_REQUEST_IID == "5" }] }
`;
    const about = (source: { id: number; fullPath: string }, target = source) => ({
      merge_request: {
        id: 77,
        iid: 5,
        title: 'Add it',
        labels: ['a', 'b'],
        source_branch: 'feature',
        target_branch: 'main',
        source_project: { id: source.id, path: source.fullPath },
        target_project: { id: target.id, path: target.fullPath },
        diff_base_sha: 'c'.repeat(40),
      },
    });

    it('run on their head, with the jobs meant for them', async () => {
      const s = await scene({}, content);
      const made = await ci.call(createPipelineOfMergeRequest, about(s.project), s.developer);
      expect(made).toMatchObject({ source: 'merge_request_event', ref: 'refs/merge-requests/5/head', tag: false });
      const { items } = await ci.call(listPipelineJobs, { id: '1', pipeline_id: made.id }, s.developer);
      expect(items.map(({ name }) => name).sort()).toEqual(['ruled', 'theirs']);
      const job = await s.next();
      expect(job!.git_info).toMatchObject({
        ref: 'refs/merge-requests/5/head',
        refspecs: ['+refs/merge-requests/5/head:refs/merge-requests/5/head'],
      });
      const variables = Object.fromEntries(job!.variables.map(({ key, value }) => [key, value]));
      expect(variables).toMatchObject({
        CI_PIPELINE_SOURCE: 'merge_request_event',
        CI_COMMIT_REF_NAME: 'feature',
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature',
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
        CI_MERGE_REQUEST_LABELS: 'a,b',
        CI_MERGE_REQUEST_DIFF_BASE_SHA: 'c'.repeat(40),
      });
      expect(variables).not.toHaveProperty('CI_COMMIT_BRANCH');
    });

    const head = 'a'.repeat(40);
    const ensure = async ({ project, developer }: { project: ProjectRef; developer: OperationContext }, over = {}) => {
      await ci.call(ensurePipelineOfMergeRequest, { ...about(project), key: head, ...over }, developer);
      return (await ci.call(listPipelines, { id: '1' }, developer)).items;
    };

    it('are created once for a head, also after repeated events, and not for an old head', async () => {
      const s = await scene({}, content);
      await Promise.all([ensure(s), ensure(s)]);
      expect(await ensure(s)).toMatchObject([{ source: 'merge_request_event', ref: 'refs/merge-requests/5/head' }]);
      expect(await ensure(s, { key: 'b'.repeat(40) })).toHaveLength(1);
    });

    it.each([
      ['no job asks for them', 'plain: { script: x }', {}],
      ['the file is broken', 'a: [', {}],
      ['there is no file', null, {}],
      ['the push skips them', content, { is_skipped: true }],
    ])('are not created automatically if %s', async (_what, file, over) => {
      const s = await scene({}, file as string);
      expect(await ensure(s, over)).toEqual([]);
    });

    it('are not created automatically if the commit message skips them, or builds are disabled', async () => {
      const s = await scene({}, content);
      const { features } = s.project;
      const off = { ...s.project, features: { ...features, builds: 'disabled' as const } };
      expect(await ensure({ ...s, developer: { ...s.developer, project: off } })).toEqual([]);
      ci.stubs.setMessage(s.project, 'Write [skip ci]');
      expect(await ensure(s)).toEqual([]);
    });

    it('run in the fork on its branch if they come from a fork', async () => {
      const s = await scene({}, content);
      const target = ci.stubs.project({});
      const made = await ci.call(createPipelineOfMergeRequest, about(s.project, target), s.developer);
      expect(made).toMatchObject({ source: 'merge_request_event', ref: 'feature', project_id: s.project.id });
    });

    it('are listed with those of the branch, and not among those of branches', async () => {
      const s = await scene({}, content);
      const ofRequest = await ci.call(createPipelineOfMergeRequest, about(s.project), s.developer);
      const ofBranch = await ci.call(createPipeline, { id: '1', ref: 'feature' }, s.developer);
      const refs = ['feature', 'refs/merge-requests/5/head'];
      const { items } = await ci.call(listPipelinesOfRefs, { refs }, s.developer);
      expect(items.map(({ id }) => id)).toEqual([ofBranch.id, ofRequest.id]);
      const branches = await ci.call(listPipelines, { id: '1', scope: 'branches' }, s.developer);
      expect(branches.items.map(({ id }) => id)).toEqual([ofBranch.id]);
    });
  });

  it('retry a failed job automatically, as often as its `retry` defines', async () => {
    const s = await scene({}, 'job: { script: x, retry: 1 }');
    const { id } = await create(s);
    const first = await s.next();
    await finish(first, 'failed');
    const second = await s.next();
    expect(second!.id).toBeGreaterThan(first!.id);
    await finish(second, 'failed');
    expect(await s.next()).toBeUndefined();
    expect(await ci.call(getPipeline, { id: '1', pipeline_id: id }, s.developer)).toMatchObject({ status: 'failed' });
  });

  it.each([
    ['gone', file, 'Reference not found'],
    ['main', null, 'Missing CI config file'],
    ['main', `# ${'x'.repeat(2 * 1024 ** 2)}\n${file}`, 'The parsed YAML is too big'],
    ['main', 'a: { script: x, only: [tags] }', 'No stages / jobs for this pipeline.'],
  ])('of %s are refused with a reason, and create nothing', async (ref, content, reason) => {
    const s = await scene({}, content as string);
    const call = ci.call(createPipeline, { id: '1', ref }, s.developer);
    await expect(call).rejects.toMatchObject({
      value: { code: pipelineErrors.invalid.code, message: { base: [reason] } },
    });
    expect((await ci.call(listPipelines, { id: '1' }, s.developer)).items).toEqual([]);
  });

  it('are filtered and ordered', async () => {
    const s = await scene();
    const [first, second] = [await create(s), await create(s)];
    await ci.call(cancelPipeline, { id: '1', pipeline_id: first.id }, s.developer);
    const ids = async (input: object) =>
      (await ci.call(listPipelines, { id: '1', ...input }, s.developer)).items.map(({ id }) => id);
    expect(await ids({})).toEqual([second.id, first.id]);
    expect(await ids({ sort: 'asc' })).toEqual([first.id, second.id]);
    expect(await ids({ status: 'canceled' })).toEqual([first.id]);
    expect(await ids({ scope: 'finished' })).toEqual([first.id]);
    expect(await ids({ scope: 'tags' })).toEqual([]);
    expect(await ids({ username: 'nobody' })).toEqual([]);
    expect(await ids({ yaml_errors: false, updated_before: first.created_at })).toEqual([]);
    expect(await ids({ order_by: 'updated_at' })).toEqual([first.id, second.id]);
    expect(await ids({ per_page: 1, page: 2 })).toEqual([first.id]);
  });

  it('are canceled and retried', async () => {
    const s = await scene();
    const pipeline = await create(s);
    const target = { id: '1', pipeline_id: pipeline.id };
    const build = await s.next();
    await finish(build, 'failed');
    expect(await ci.call(getPipeline, target, s.developer)).toMatchObject({ status: 'failed' });
    expect(await ci.call(getJob, { id: '1', job_id: build!.id }, s.developer)).toMatchObject({
      failure_reason: 'script_failure',
    });
    expect(await ci.call(retryPipeline, target, s.developer)).toMatchObject({ status: 'pending' });
    const again = await s.next();
    expect(again!.job_info.name).toBe('build');
    expect(again!.id).toBeGreaterThan(build!.id);
    expect(await ci.call(cancelPipeline, target, s.developer)).toMatchObject({ status: 'canceled' });
    await finish(again, 'success');
    expect(await ci.call(getPipeline, target, s.developer)).toMatchObject({ status: 'canceled' });
    const all = await ci.call(listPipelineJobs, { ...target, include_retried: true, scope: ['failed'] }, s.developer);
    expect(all.items.map(({ id }) => id)).toEqual([build!.id]);
  });

  it('are deleted with their jobs', async () => {
    const s = await scene();
    const { id } = await create(s);
    await ci.call(
      deletePipeline,
      { id: '1', pipeline_id: id },
      ci.stubs.as(s.maintainer.caller, s.project, Access.Owner),
    );
    await expect(ci.call(getPipeline, { id: '1', pipeline_id: id }, s.developer)).rejects.toThrow(
      pipelineErrors.notFound.code,
    );
    expect((await ci.call(listJobs, { id: '1' }, s.developer)).items).toEqual([]);
  });

  describe('jobs', () => {
    it('are listed over pipelines, played, retried and erased', async () => {
      const s = await scene();
      const pipeline = await create(s);
      await create(s);
      const { items, total } = await ci.call(listJobs, { id: '1', per_page: 4 }, s.developer);
      expect([items.length, total]).toEqual([4, 6]);
      expect((await ci.call(listJobs, { id: '1', scope: ['pending'] }, s.developer)).total).toBe(2);
      expect((await ci.call(listJobs, { id: '1', scope: ['scheduled'] }, s.developer)).total).toBe(0);
      const { items: jobs } = await ci.call(listPipelineJobs, { id: '1', pipeline_id: pipeline.id }, s.developer);
      const build = { id: '1', job_id: jobs.find(({ name }) => name === 'build')!.id };
      await expect(ci.call(playJob, build, s.developer)).rejects.toThrow(jobErrors.notPlayable.code);
      await expect(ci.call(retryJob, build, s.developer)).rejects.toThrow(jobErrors.notRetryable.code);
      await expect(ci.call(eraseJob, build, s.developer)).rejects.toThrow(jobErrors.notErasable.code);
      await finish(await s.next(), 'success');
      const deploy = { id: '1', job_id: jobs.find(({ name }) => name === 'deploy')!.id };
      expect(await ci.call(playJob, deploy, s.maintainer)).toMatchObject({
        status: 'pending',
        user: { username: 'maintainer' },
      });
      const again = await ci.call(retryJob, build, s.developer);
      expect(again).toMatchObject({ name: 'build', status: 'pending' });
      const stranger = ci.stubs.as(ci.stubs.user('stranger'), s.project);
      await expect(ci.call(eraseJob, build, stranger)).rejects.toThrow('forbidden');
      expect((await ci.call(eraseJob, build, s.maintainer)).erased_at).not.toBeNull();
    });

    it('write their output piece by piece, each byte once', async () => {
      const s = await scene();
      await create(s);
      const job = await s.next();
      const send = async (content_range: string, bytes: Buffer, token = job!.token) =>
        ci.under.client.send(
          appendJobTrace,
          { id: job!.id, token, content_range, body: bytes.toString('base64') },
          nobody,
        );
      // The second chunk begins within a character.
      const text = Buffer.from('all göod\n');
      const first = await send('0-5', text.subarray(0, 6));
      expect(first.meta).toMatchObject({ status: 202, headers: { Range: '0-6', 'Job-Status': 'running' } });
      expect((await send('0-5', text.subarray(0, 6))).meta).toMatchObject({ status: 416, headers: { Range: '0-6' } });
      expect((await send(`6-${text.length - 1}`, text.subarray(6))).meta).toMatchObject({ status: 202 });
      await expect(send('10-11', Buffer.from('abc'))).rejects.toThrow('content_range is invalid');
      await expect(send('10-12', Buffer.from('abc'), 'other')).rejects.toThrow(runnerJobErrors.unknownToken.code);
      await expect(send(`${16 * 1024 * 1024}-${16 * 1024 * 1024}`, Buffer.from('a'))).rejects.toThrow('too_large');
      const { url } = await ci.call(getJobTrace, { id: '1', job_id: job!.id }, s.developer);
      expect(await (await fetch(url)).text()).toBe('all göod\n');
      const end = (bytes: number) => ci.call(readJobLogEnd, { id: '1', job_id: job!.id, bytes }, s.developer);
      expect(await end(10)).toEqual({ text: 'all göod\n', is_whole: true });
      expect(await end(4)).toEqual({ text: 'öod\n', is_whole: false });
      await finish(job, 'success');
      expect((await send('10-12', Buffer.from('abc'))).meta).toMatchObject({
        status: 403,
        headers: { 'Job-Status': 'success' },
      });
    });

    it('have the coverage from the end of their output, each run its own', async () => {
      const s = await scene({}, "test: { script: x, coverage: '/Total: (\\d+(?:\\.\\d+)?)%/' }\nlint: { script: x }");
      const { id: pipeline_id } = await create(s);
      const run = async (output: string, state: 'success' | 'failed') => {
        const job = await s.next();
        const body = Buffer.from(output);
        const content_range = `0-${body.length - 1}`;
        const piece = { id: job!.id, token: job!.token, content_range, body: body.toString('base64') };
        await ci.call(appendJobTrace, piece, nobody);
        await finish(job, state);
        return (await ci.call(getJob, { id: '1', job_id: job!.id }, s.developer)).coverage;
      };
      const pipeline = () => ci.call(getPipeline, { id: '1', pipeline_id }, s.developer);
      expect((await pipeline()).coverage).toBeNull();
      expect(await run(`Total: 1%\nTotal: 50.5%\n${'x'.repeat(60_000)}\n`, 'failed')).toBe(50.5);
      expect(await run('Total: 2%\n', 'success')).toBeNull();
      expect((await pipeline()).coverage).toBe('50.50');
      await ci.call(retryPipeline, { id: '1', pipeline_id }, s.developer);
      expect((await pipeline()).coverage).toBeNull();
      expect(await run('all well\n', 'success')).toBeNull();
    });

    it('are identified by the token of their run, while it is valid', async () => {
      const s = await scene();
      await create(s);
      const job = await s.next();
      const token_sha256 = sha256(job!.token);
      expect(await ci.call(authenticateJobToken, { token_sha256 }, nobody)).toEqual({
        user_id: s.developer.caller!.id,
        project_id: s.project.id,
        job_id: job!.id,
      });
      expect(await ci.call(getCurrentJob, { job_token: job!.token }, nobody)).toMatchObject({ id: job!.id });
      await finish(job, 'success');
      await finish(job, 'success');
      await expect(ci.call(authenticateJobToken, { token_sha256 }, nobody)).rejects.toThrow('unauthorized');
      await expect(ci.call(getCurrentJob, {}, nobody)).rejects.toThrow('unauthorized');
    });

    it('are assigned to one runner, however many request them', async () => {
      const s = await scene({}, 'job: { script: x, parallel: 5 }');
      await create(s);
      const taken = await Promise.all(Array.from({ length: 12 }, s.next));
      const ids = taken.flatMap((job) => job?.id ?? []);
      expect([ids.length, new Set(ids).size]).toEqual([5, 5]);
    });

    it('that wait or run for too long time out', async () => {
      const s = await scene();
      const pipeline = await create(s);
      await ci.pipelines.updateOne(
        { _id: pipeline.id },
        { $set: { deadlineAt: new Date(0), 'jobs.0.queuedAt': new Date(0) } },
      );
      await ci.giveUpOverdue();
      const { items } = await ci.call(listPipelineJobs, { id: '1', pipeline_id: pipeline.id }, s.developer);
      expect(items.find(({ name }) => name === 'build')).toMatchObject({
        status: 'failed',
        failure_reason: 'stuck_or_timeout_failure',
      });
    });
  });

  describe('runners', () => {
    const admin = contextOf({ caller: callerNamed('root', { isAdmin: true }) });

    it('register with a token of an administrator, are verified, paused, changed and deleted', async () => {
      const { token: registration } = await ci.call(resetInstanceRegistrationToken, {}, admin);
      const { id, token } = await ci.call(
        registerRunner,
        { token: registration, description: 'mine', paused: true },
        nobody,
      );
      expect(await ci.call(verifyRunner, { token }, nobody)).toMatchObject({ id });
      expect(await ci.call(requestJob, { token, info: { version: '1' } }, nobody)).toBeNull();
      expect(await ci.call(getRunner, { runner_id: id }, admin)).toMatchObject({
        paused: true,
        version: '1',
        online: true,
      });
      const changed = await ci.call(updateRunner, { runner_id: id, paused: false, tag_list: ['a'] }, admin);
      expect(changed).toMatchObject({ paused: false, tag_list: ['a'], is_shared: true });
      const { items } = await ci.call(listAllRunners, { tag_list: ['a'] }, admin);
      expect(items.map((runner) => runner.id)).toEqual([id]);
      await ci.call(resetInstanceRegistrationToken, {}, admin);
      await expect(ci.call(registerRunner, { token: registration }, nobody)).rejects.toThrow(
        runnerErrors.unknownToken.code,
      );
      await ci.call(unregisterRunner, { token }, nobody);
      await expect(ci.call(verifyRunner, { token }, nobody)).rejects.toThrow(runnerErrors.unknownToken.code);
    });

    it('of a project are created by its maintainers, and visible to them', async () => {
      const s = await scene();
      const input = { runner_type: 'project_type' as const, project_id: s.project.id };
      await expect(ci.call(createRunner, input, contextOf({ caller: s.developer.caller }))).rejects.toThrow(
        'forbidden',
      );
      await expect(ci.call(createRunner, { runner_type: 'instance_type' }, s.developer)).rejects.toThrow('forbidden');
      const made = await ci.call(createRunner, input, contextOf({ caller: s.maintainer.caller }));
      // The runner program treats a token without this prefix as a registration token.
      expect(made.token).toMatch(/^glrt-[\w-]{20}$/);
      const { items } = await ci.call(listProjectRunners, { id: '1', type: 'project_type' }, s.maintainer);
      expect(items.map(({ id }) => id)).toEqual([s.runner.id, made.id]);
      const asDeveloper = contextOf({ caller: s.developer.caller });
      await expect(ci.call(getRunner, { runner_id: made.id }, asDeveloper)).rejects.toThrow('forbidden');
    });

    it('get only jobs with their tags, and only of their project', async () => {
      const s = await scene({}, 'job: { script: x, tags: [gpu] }');
      const other = await scene();
      await create(s);
      expect(await s.next()).toBeUndefined();
      await ci.call(updateRunner, { runner_id: s.runner.id, tag_list: ['gpu', 'x'] }, admin);
      await ci.call(updateRunner, { runner_id: other.runner.id, tag_list: ['gpu'] }, admin);
      expect(await other.next()).toBeUndefined();
      const job = await s.next();
      expect(job).toMatchObject({ job_info: { name: 'job' } });
      const { items } = await ci.call(listRunnerJobs, { runner_id: s.runner.id }, admin);
      expect(items).toMatchObject([{ id: job!.id, runner: { id: s.runner.id } }]);
    });
  });

  it('are seen by developers, and by readers while they are public', async () => {
    const s = await scene({ publicBuilds: false });
    const { id } = await create(s);
    const guest = ci.stubs.as(ci.stubs.user('guest'), s.project, Access.Guest);
    await expect(ci.call(listPipelines, { id: '1' }, guest)).rejects.toThrow('forbidden');
    await expect(ci.call(listJobs, { id: '1' }, guest)).rejects.toThrow('forbidden');
    await expect(ci.call(getPipeline, { id: '1', pipeline_id: id }, guest)).rejects.toThrow(
      pipelineErrors.notFound.code,
    );
    const open = ci.stubs.as(guest.caller, { ...s.project, publicBuilds: true }, Access.Guest);
    expect((await ci.call(listPipelines, { id: '1' }, open)).items).toHaveLength(1);
  });
});
