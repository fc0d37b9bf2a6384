import { Access, createPipeline, registerRunner, requestJob, resetProjectRegistrationToken } from '@moothall/contracts';
import { contextOf } from '@moothall/testing';
import { CiUnderTest } from './ci-under-test';

let ci: CiUnderTest;
beforeAll(async () => {
  ci = await CiUnderTest.start();
});
afterAll(() => ci?.stop());

/** The job of a file, as a runner gets it. */
async function runJob(file: object) {
  const project = ci.stubs.project({}, JSON.stringify({ job: { script: 'x', ...file } }));
  const user = ci.stubs.user('maker');
  const context = ci.stubs.as(user, project, Access.Maintainer);
  const { token: registration } = await ci.call(resetProjectRegistrationToken, { id: '1' }, context);
  const runner = await ci.call(registerRunner, { token: registration }, contextOf({}));
  const { id } = await ci.call(createPipeline, { id: '1', ref: 'main' }, context);
  const job = await ci.call(requestJob, { token: runner.token }, contextOf({}));
  return { project, user, pipelineId: id, job: job! };
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
