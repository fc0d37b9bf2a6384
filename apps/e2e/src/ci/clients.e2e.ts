import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Schedules, their variables and runners, by @gitbeaker/rest. */

let user: Awaited<ReturnType<typeof newUser>>;
let id: number;
beforeAll(async () => {
  user = await newUser('scheduler');
  ({ id } = await user.client.Projects.create({ name: uniqueName('scheduled'), initializeWithReadme: true }));
  await user.client.Commits.create(id, 'main', 'Add a job', [
    { action: 'create', filePath: '.gitlab-ci.yml', content: JSON.stringify({ build: { script: ['true'] } }) },
  ]);
});

it('PipelineSchedules and PipelineScheduleVariables: make, change, run, remove', async () => {
  const { PipelineSchedules, PipelineScheduleVariables, Pipelines } = user.client;
  const made = await PipelineSchedules.create(id, 'nightly', 'main', '0 1 * * *', { cronTimezone: 'Europe/Berlin' });
  expect(made).toMatchObject({ description: 'nightly', ref: 'main', cron: '0 1 * * *', active: true });
  expect(await PipelineSchedules.edit(id, made.id, { description: 'weekly', cron: '0 1 * * 1' })).toMatchObject({
    ...{ description: 'weekly', cron: '0 1 * * 1', cron_timezone: 'Europe/Berlin' },
  });
  await PipelineScheduleVariables.create(id, made.id, 'PLACE', 'first');
  await PipelineScheduleVariables.edit(id, made.id, 'PLACE', 'second');
  expect((await PipelineSchedules.show(id, made.id)).variables).toMatchObject([{ key: 'PLACE', value: 'second' }]);
  await PipelineScheduleVariables.remove(id, made.id, 'PLACE');
  expect((await PipelineSchedules.show(id, made.id)).variables).toEqual([]);
  await PipelineSchedules.takeOwnership(id, made.id);
  await PipelineSchedules.run(id, made.id);
  expect(await Pipelines.all(id, { source: 'schedule' })).toMatchObject([{ source: 'schedule', ref: 'main' }]);
  expect(await PipelineSchedules.allTriggeredPipelines(id, made.id)).toHaveLength(1);
  expect((await PipelineSchedules.all(id)).map((schedule) => schedule.id)).toEqual([made.id]);
  await PipelineSchedules.remove(id, made.id);
  expect(await PipelineSchedules.all(id)).toEqual([]);
});

it('Runners: list, change, remove', async () => {
  const { Runners, Users } = user.client;
  const { id: runnerId } = await Users.createCIRunner('project_type', { projectId: id, description: 'first' });
  expect((await Runners.all({ projectId: id })).map((runner) => runner.id)).toContain(runnerId);
  expect((await root.Runners.all()).map((runner) => runner.id)).toContain(runnerId);
  await Runners.edit(runnerId, { description: 'second', tagList: ['fast'], runUntagged: false });
  expect(await Runners.show(runnerId)).toMatchObject({
    description: 'second',
    tag_list: ['fast'],
    run_untagged: false,
  });
  expect(await Runners.allJobs(runnerId)).toEqual([]);
  await Runners.remove({ runnerId });
  expect((await Runners.all({ projectId: id })).map((runner) => runner.id)).not.toContain(runnerId);
});

it('PipelineTriggerTokens: make, change, run, remove', async () => {
  const { PipelineTriggerTokens } = user.client;
  const made = await PipelineTriggerTokens.create(id, 'first');
  expect(made).toMatchObject({ description: 'first', last_used: null, owner: { id: user.id } });
  await PipelineTriggerTokens.edit(id, made.id, { description: 'second' });
  // The client converts keys to its own spelling.
  const variables = { place: 'elsewhere' };
  const pipeline = await PipelineTriggerTokens.trigger(id, 'main', made.token, { variables });
  expect(pipeline).toMatchObject({ source: 'trigger', ref: 'main', user: { id: user.id } });
  expect(await user.client.Pipelines.allVariables(id, pipeline.id)).toMatchObject([
    { key: 'place', value: 'elsewhere' },
  ]);
  expect(await PipelineTriggerTokens.show(id, made.id)).toMatchObject({
    ...{ description: 'second', token: made.token, last_used: expect.any(String) },
  });
  await PipelineTriggerTokens.remove(id, made.id);
  expect(await PipelineTriggerTokens.all(id)).toEqual([]);
});

it('ResourceGroups: list, show, change, list upcoming jobs', async () => {
  const { Commits, Pipelines, ResourceGroups } = user.client;
  const content = JSON.stringify({ deploy: { script: ['true'], resource_group: 'production/eu' } });
  const actions = [{ action: 'create' as const, filePath: '.gitlab-ci.yml', content }];
  const { id: project } = await user.client.Projects.create({ name: uniqueName('grouped') });
  await Commits.create(project, 'main', 'Deploy [ci skip]', actions);
  const [first, second] = [await Pipelines.create(project, 'main'), await Pipelines.create(project, 'main')];
  expect(await ResourceGroups.all(project)).toMatchObject([{ key: 'production/eu', process_mode: 'unordered' }]);
  await ResourceGroups.edit(project, 'production/eu', { processMode: 'oldest_first' });
  expect(await ResourceGroups.show(project, 'production/eu')).toMatchObject({ process_mode: 'oldest_first' });
  const waiting = async () =>
    (await ResourceGroups.allUpcomingJobs(project, 'production/eu')).map(({ pipeline }) => pipeline.id);
  await until('the first to have it', async () => (await waiting()).length === 1);
  expect(await waiting()).toEqual([second.id]);
  await Pipelines.cancel(project, first.id);
  await until('the second to have it', async () => (await waiting()).length === 0);
  expect(await user.client.Jobs.all(project, { scope: 'pending' })).toMatchObject([{ pipeline: { id: second.id } }]);
});

it('Lint and GitLabCIYMLTemplates: every template is a file that makes a pipeline', async () => {
  const { Lint, GitLabCIYMLTemplates } = user.client;
  const templates = await GitLabCIYMLTemplates.all();
  expect(templates.length).toBeGreaterThan(40);
  for (const { key } of templates) {
    const { content } = await GitLabCIYMLTemplates.show(String(key));
    const { valid, errors, warnings } = await Lint.lint(id, String(content));
    // Parts of workflows have no jobs; the including file has.
    const isPart = String(key).startsWith('Workflows/');
    const expected = isPart ? [false, [expect.stringMatching(/job/)]] : [true, []];
    expect([key, valid, errors, warnings]).toEqual([key, ...expected, []]);
    const including = `include: [{ template: ${key}.gitlab-ci.yml }]\n${isPart ? 'own: { script: make }' : ''}`;
    expect([key, (await Lint.lint(id, including)).errors]).toEqual([key, []]);
  }
});

it('Lint: of the project, and of a text that includes a template', async () => {
  const { Lint } = user.client;
  expect(await Lint.check(id, { includeJobs: true })).toMatchObject({ valid: true, jobs: [{ name: 'build' }] });
  const content = JSON.stringify({ include: [{ template: 'Bash.gitlab-ci.yml' }], own: { script: ['true'] } });
  const linted = await Lint.lint(id, content, { includeJobs: true });
  expect(linted).toMatchObject({
    valid: true,
    jobs: expect.arrayContaining([expect.objectContaining({ name: 'syntax' })]),
  });
  expect(await Lint.lint(id, 'own: { stage: never, script: x }')).toMatchObject({
    ...{ valid: false, errors: [expect.stringContaining('chosen stage does not exist')] },
  });
});
