import {
  createProjectHook,
  deploymentChanged,
  featureFlagChanged,
  type PipelineHookDetails,
  pipelineChanged,
  pipelineHookDetails,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { startWithReceiver } from './integrations-under-test';

/* Hook payloads of pipelines, deployments and feature flags. */

const started = shareBetweenTests(startWithReceiver);

it('has the deployment, its environment, its commit and its user; a waiting one is not sent', async () => {
  const { bed, receiver } = started;
  const project = bed.project();
  const hook = { id: String(project.id), url: receiver.url('/deployments'), deployment_events: true };
  await bed.call(createProjectHook, hook, bed.as(project));
  const deployment = {
    ...{ project_id: project.id, deployment_id: 5, iid: 1, environment: 'production', environment_id: 3 },
    ...{ environment_tier: 'production', environment_slug: 'production', environment_external_url: 'https://x.test' },
    ...{ ref: 'main', tag: false, sha: 'a'.repeat(40), user_id: 7, job_id: 9, pipeline_id: 8 },
    changed_at: '2026-01-01T00:00:00.000Z',
  };
  await bed.emit(deploymentChanged, { ...deployment, status: 'created' });
  await bed.emit(deploymentChanged, { ...deployment, status: 'running' });
  await bed.emit(deploymentChanged, { ...deployment, job_id: null, status: 'success' });
  await eventually(async () => receiver.at('/deployments').length === 2, 'the events');
  const [first, second] = receiver.at('/deployments');
  expect(first!.body).toMatchObject({
    ...{ object_kind: 'deployment', status: 'running', deployment_id: 5, deployable_id: 9, environment: 'production' },
    deployable_url: expect.stringMatching(/\/-\/jobs\/9$/),
    environment_external_url: 'https://x.test',
    ...{ project: { id: project.id }, short_sha: 'aaaaaaaa', ref: 'main' },
  });
  expect(second!.body).toMatchObject({ status: 'success', deployable_id: null, deployable_url: null });
});

it('has the pipeline with its name, commit, merge request and jobs, if ci answers', async () => {
  const { bed, receiver, under } = started;
  const project = bed.project();
  const hook = { id: String(project.id), url: receiver.url('/pipelines'), pipeline_events: true };
  await bed.call(createProjectHook, hook, bed.as(project));
  const pipeline = {
    ...{ project_id: project.id, iid: 1, ref: 'main', tag: false, sha: 'c'.repeat(40), user_id: 1 },
    ...{ before_sha: 'b'.repeat(40), source: 'push' as const, status: 'success' as const, stages: ['test'] },
    ...{ created_at: '2020-10-15T08:12:01.123Z', finished_at: '2020-10-15T08:12:13.123Z', duration: 12 },
  };
  under.respond(pipelineHookDetails, ({ pipeline_id }) => (pipeline_id === 21 ? details : null));
  await bed.emit(pipelineChanged, { ...pipeline, pipeline_id: 21, name: 'Build of main' });
  await bed.emit(pipelineChanged, { ...pipeline, pipeline_id: 22 });
  await eventually(async () => receiver.at('/pipelines').length === 2, 'the events');
  const delivered = receiver.at('/pipelines').map(({ body }) => body as { object_attributes: { id: number } });
  expect(delivered.sort((a, b) => a.object_attributes.id - b.object_attributes.id)).toMatchObject([
    {
      object_kind: 'pipeline',
      object_attributes: {
        ...{ id: 21, name: 'Build of main', status: 'success', stages: ['test'], duration: 12 },
        ...{ queued_duration: 2, variables: [{ key: 'A', value: 'b' }] },
      },
      project: { id: project.id },
      commit: { title: 'Turn the wheel', author: { name: 'Ada' }, url: expect.stringMatching(/\/-\/commit\/c{40}$/) },
      merge_request: { iid: 3, source_project_id: 5, url: expect.stringMatching(/group\/app\/-\/merge_requests\/3$/) },
      source_pipeline: { pipeline_id: 20, job_id: 8, project: { id: project.id } },
      builds: [{ id: 9, name: 'test', runner: { id: 2 }, artifacts_file: { filename: 'a.zip' } }],
    },
    {
      builds: [],
      commit: { id: 'c'.repeat(40) },
      object_attributes: { id: 22, name: null, url: expect.stringMatching(/\/-\/pipelines\/22$/) },
    },
  ]);
});

const details: PipelineHookDetails = {
  queued_duration: 2,
  variables: [{ key: 'A', value: 'b' }],
  commit: {
    ...{ message: 'Turn the wheel\n\nSlowly', timestamp: '2020-10-15T08:12:01.123Z' },
    ...{ author_name: 'Ada', author_email: 'ada@example.com' },
  },
  merge_request: {
    ...{ id: 30, iid: 3, title: 'Wheel', source_branch: 'topic', target_branch: 'main' },
    ...{ source_project: { id: 5, path: 'ada/app' }, target_project: { id: 6, path: 'group/app' } },
  },
  source_pipeline: { pipeline_id: 20, job_id: 8 },
  builds: [
    {
      ...{ id: 9, stage: 'test', name: 'test', status: 'success', created_at: '2020-10-15T08:12:01.123Z' },
      ...{ started_at: null, finished_at: null, duration: null, queued_duration: null, failure_reason: null },
      ...{ when: 'on_success', manual: false, allow_failure: false, user_id: null, environment: null },
      runner: { id: 2, description: 'big', runner_type: 'instance_type', active: true, is_shared: true, tags: [] },
      artifacts_file: { filename: 'a.zip', size: 7 },
    },
  ],
};

it('has the feature flag that was switched', async () => {
  const { bed, receiver } = started;
  const project = bed.project();
  const hook = { id: String(project.id), url: receiver.url('/flags'), feature_flag_events: true };
  await bed.call(createProjectHook, hook, bed.as(project));
  const flag = { name: 'dark-mode', description: null, active: false };
  await bed.emit(featureFlagChanged, { project_id: project.id, feature_flag_id: 4, user_id: 7, ...flag });
  await eventually(async () => receiver.at('/flags').length === 1, 'the event');
  expect(receiver.at('/flags')[0]!.body).toMatchObject({
    object_kind: 'feature_flag',
    project: { id: project.id },
    object_attributes: { id: 4, ...flag },
  });
});
