import {
  Access,
  commonErrors,
  createPipeline,
  listPipelineJobs,
  registerRunner,
  requestJob,
  resetProjectRegistrationToken,
  signJobIdToken,
} from '@moothall/contracts';
import { contextOf } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

let ci: CiUnderTest;
beforeAll(async () => {
  ci = await CiUnderTest.start();
});
afterAll(() => ci?.stop());

/** A pipeline with the job of a file, and a runner. */
async function scene(file: object) {
  const project = ci.stubs.project({}, JSON.stringify({ job: { script: 'x', ...file } }));
  const user = ci.stubs.user('maker');
  const context = ci.stubs.as(user, project, Access.Maintainer);
  const { token: registration } = await ci.call(resetProjectRegistrationToken, { id: '1' }, context);
  const runner = await ci.call(registerRunner, { token: registration }, contextOf({}));
  const { id } = await ci.call(createPipeline, { id: '1', ref: 'main' }, context);
  const next = () => ci.call(requestJob, { token: runner.token }, contextOf({}));
  const shown = async () => (await ci.call(listPipelineJobs, { id: '1', pipeline_id: id }, context)).items[0]!;
  return { project, user, pipelineId: id, next, shown };
}

/** The job of a file, as a runner gets it. */
async function runJob(file: object) {
  const { next, ...made } = await scene(file);
  return { ...made, job: (await next())! };
}

it('has tokens with its claims, for the audiences of the file, masked', async () => {
  const { project, user, pipelineId, job } = await runJob({
    environment: 'production',
    variables: { WHERE: 'cloud' },
    id_tokens: { ONE: { aud: 'https://$WHERE.test' }, TWO: { aud: ['a', 'b'] } },
  });
  const one = job.variables.find(({ key }) => key === 'ONE')!;
  expect(one).toMatchObject({ masked: true, public: false, file: false });
  expect(JSON.parse(one.value)).toMatchObject({
    subject: `project_path:${project.fullPath}:ref_type:branch:ref:main`,
    audiences: ['https://cloud.test'],
    expires_in_seconds: 3600,
    claims: {
      ...{ project_id: String(project.id), user_login: user.username, pipeline_id: String(pipelineId) },
      ...{ job_id: String(job.id), ref_path: 'refs/heads/main', ref_protected: 'false', pipeline_source: 'api' },
      ...{ environment: 'production', environment_protected: 'false', deployment_tier: 'production' },
    },
  });
  expect(JSON.parse(job.variables.find(({ key }) => key === 'TWO')!.value).audiences).toEqual(['a', 'b']);
});

it('has the hooks that run before its sources, and only the tokens of the file', async () => {
  const { job } = await runJob({ hooks: { pre_get_sources_script: ['one', 'two'] } });
  expect(job.hooks).toEqual([{ name: 'pre_get_sources_script', script: ['one', 'two'] }]);
  expect(job.variables.filter(({ value }) => value.includes('project_path:'))).toEqual([]);
});

it('waits for the next request of a runner if a service does not answer', async () => {
  const { next, shown } = await scene({ id_tokens: { ONE: { aud: 'a' } } });
  ci.under.respond(signJobIdToken, () => commonErrors.unavailable());
  await expect(next()).rejects.toMatchObject({ value: { code: commonErrors.unavailable.code } });
  expect(await shown()).toMatchObject({ status: 'pending', started_at: null, runner: null });
  ci.under.respond(signJobIdToken, (said) => ({ token: JSON.stringify(said) }));
  const job = await next();
  expect(job?.variables.some(({ key }) => key === 'ONE')).toBe(true);
  expect(await shown()).toMatchObject({ id: job?.id, status: 'running' });
});

it('fails if its payload can never be built, so that it does not block other jobs', async () => {
  const { next, shown } = await scene({ id_tokens: { ONE: { aud: 'a' } } });
  ci.under.respond(signJobIdToken, () => commonErrors.internal());
  await expect(next()).rejects.toMatchObject({ value: { code: commonErrors.internal.code } });
  ci.under.respond(signJobIdToken, (said) => ({ token: JSON.stringify(said) }));
  expect(await shown()).toMatchObject({ status: 'failed', failure_reason: 'data_integrity_failure' });
  expect(await next()).toBeNull();
});
