import { createProjectHook, deploymentChanged, featureFlagChanged } from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { startWithReceiver } from './integrations-under-test';

/* What hooks are told of deployments and feature flags. */

const started = shareBetweenTests(startWithReceiver);

it('has the deployment, what it brought where, and who did; of one that waits nothing', async () => {
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
