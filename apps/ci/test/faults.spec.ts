import {
  Access,
  appendJobTrace,
  cancelJob,
  createDeployment,
  createEnvironment,
  createFeatureFlag,
  createFeatureFlagUserList,
  createFreezePeriod,
  createPipeline,
  createSchedule,
  createScheduleVariable,
  deleteFeatureFlag,
  deleteFeatureFlagUserList,
  deleteFreezePeriod,
  deletePipeline,
  deleteRunner,
  deleteSchedule,
  getEnvironment,
  getJob,
  getJobTrace,
  getResourceGroup,
  importSchedules,
  listCommitStatuses,
  listDeployments,
  listFeatureFlags,
  listFreezePeriods,
  listPipelineJobs,
  listPipelines,
  listProjectRunners,
  listProtectedEnvironments,
  listSchedules,
  type Operation,
  pipelineChanged,
  protectEnvironment,
  registerRunner,
  requestJob,
  resetProjectRegistrationToken,
  setCommitStatus,
  stopEnvironment,
  unprotectEnvironment,
  updateDeployment,
  updateEnvironment,
  updateFeatureFlag,
  updateFeatureFlagUserList,
  updateFreezePeriod,
  updateProtectedEnvironment,
  updateResourceGroup,
  updateSchedule,
} from '@moothall/contracts';
import { contextOf, eventually, itUnderFaults, meetFaults, shareBetweenTests, throughFaults } from '@moothall/testing';
import { plainFile } from './ci-stub-services';
import { CiUnderTest } from './ci-under-test';

meetFaults();

const ci = shareBetweenTests(() => CiUnderTest.start());

const byNumber = (a: number, b: number) => a - b;

// A failure of the database, NATS or Redis must not be answered as success, or leave a part.
it('pipelines and schedules exist once if created, and not at all if refused', async () => {
  const project = ci.stubs.project({}, plainFile);
  const owner = ci.stubs.user('owner');
  const context = ci.stubs.as(owner, project);
  const { client } = ci.under;
  const made = await throughFaults(client, createPipeline, () =>
    ci.call(createPipeline, { id: '1', ref: 'main' }, context),
  );
  const listed = async () => {
    const { items } = await ci.call(listPipelines, { id: '1', per_page: 100 }, context);
    return items.map(({ id }) => id).sort(byNumber);
  };
  expect(await listed()).toEqual(made.map(({ id }) => id).sort(byNumber));
  expect(new Set(made.map(({ iid }) => iid)).size).toBe(made.length);
  const isPublished = (id: number) => ci.under.events(pipelineChanged).some(({ data }) => data.pipeline_id === id);
  await eventually(() => made.every(({ id }) => isPublished(id)), 'the events');

  const daily = { id: '1', description: 'nightly', ref: 'main', cron: '0 1 * * *' };
  const schedules = await throughFaults(client, createSchedule, () => ci.call(createSchedule, daily, context));
  const scheduled = async () => {
    const { items } = await ci.call(listSchedules, { id: '1', per_page: 100 }, context);
    return items.map(({ id }) => id).sort(byNumber);
  };
  expect(await scheduled()).toEqual(schedules.map(({ id }) => id).sort(byNumber));
  const [{ id: first }] = schedules as [(typeof schedules)[number]];
  const on = { id: '1', pipeline_schedule_id: first };
  await throughFaults(client, createScheduleVariable, (turn) =>
    ci.call(createScheduleVariable, { ...on, key: `KEY_${turn}`, value: 'x' }, context),
  );
  const changed = await throughFaults(client, updateSchedule, (turn) =>
    ci.call(updateSchedule, { ...on, description: `at night ${turn}` }, context),
  );
  expect(changed.at(-1)!.description).toBe(`at night ${changed.length - 1}`);

  const ended = await throughFaults(client, deleteSchedule, async () => {
    const { id } = schedules.pop() ?? (await ci.call(createSchedule, daily, context));
    await ci.call(deleteSchedule, { id: '1', pipeline_schedule_id: id }, context);
    return id;
  });
  expect((await scheduled()).filter((id) => ended.includes(id))).toEqual([]);
  const owning = { ...context, project: { ...project, accessLevel: 50 as const } };
  const gone = await throughFaults(client, deletePipeline, async () => {
    const { id } = made.pop() ?? (await ci.call(createPipeline, { id: '1', ref: 'main' }, context));
    await ci.call(deletePipeline, { id: '1', pipeline_id: id }, owning);
    return id;
  });
  await eventually(async () => (await listed()).every((id) => !gone.includes(id)), 'the end of pipelines');
}, 120_000);

/** A project with a runner; its maintainer calls. */
async function scene() {
  const project = ci.stubs.project({}, plainFile);
  const as = ci.stubs.as(ci.stubs.user('maintainer'), project, Access.Maintainer);
  const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, as);
  return { as, project, runner: await ci.call(registerRunner, { token }, contextOf({})) };
}

/** An operation, and a call of it with assertions that must hold from then on. */
const rows: [Operation, () => Promise<void>][] = [
  [
    cancelJob,
    async () => {
      const { as } = await scene();
      const { id: pipeline_id } = await ci.call(createPipeline, { id: '1', ref: 'main' }, as);
      const { items } = await ci.call(listPipelineJobs, { id: '1', pipeline_id }, as);
      const job = { id: '1', job_id: items[0]!.id };
      await ci.call(cancelJob, job, as);
      expect(await ci.call(getJob, job, as)).toMatchObject({ status: 'canceled', pipeline: { status: 'canceled' } });
    },
  ],
  [
    setCommitStatus,
    async () => {
      const { as } = await scene();
      const commit = { id: '1', sha: 'a'.repeat(40) };
      const { id } = await ci.call(setCommitStatus, { ...commit, state: 'success' }, as);
      expect((await ci.call(listCommitStatuses, commit, as)).items).toMatchObject([{ id, status: 'success' }]);
      expect((await ci.call(listPipelines, { id: '1' }, as)).items).toMatchObject([{ status: 'success' }]);
    },
  ],
  [
    updateResourceGroup,
    async () => {
      const { as, project } = await scene();
      ci.stubs.setFile(project, JSON.stringify({ deploy: { script: 'true', resource_group: 'production' } }));
      await ci.call(createPipeline, { id: '1', ref: 'main' }, as);
      const group = { id: '1', key: 'production' };
      await ci.call(updateResourceGroup, { ...group, process_mode: 'newest_first' }, as);
      expect(await ci.call(getResourceGroup, group, as)).toMatchObject({ process_mode: 'newest_first' });
      expect((await ci.call(listPipelines, { id: '1' }, as)).items).toMatchObject([{ status: 'pending' }]);
    },
  ],
  [
    createEnvironment,
    async () => {
      const { as } = await scene();
      const { id: environment_id } = await ci.call(createEnvironment, { id: '1', name: 'staging' }, as);
      const one = { id: '1', environment_id };
      await ci.call(updateEnvironment, { ...one, description: 'x' }, as);
      expect(await ci.call(stopEnvironment, one, as)).toMatchObject({ description: 'x', state: 'stopped' });
      expect(await ci.call(getEnvironment, one, as)).toMatchObject({ state: 'stopped' });
    },
  ],
  [
    createDeployment,
    async () => {
      const { as } = await scene();
      const said = { id: '1', environment: 'staging', sha: 'c'.repeat(40), ref: 'main', tag: false };
      const { id: deployment_id } = await ci.call(createDeployment, { ...said, status: 'running' }, as);
      await ci.call(updateDeployment, { id: '1', deployment_id, status: 'success' }, as);
      expect((await ci.call(listDeployments, { id: '1' }, as)).items).toMatchObject([
        { id: deployment_id, status: 'success' },
      ]);
    },
  ],
  [
    importSchedules,
    async () => {
      const { as, project } = await scene();
      const nightly = { description: 'nightly', ref: 'main', cron: '0 1 * * *', cron_timezone: 'UTC' };
      const times = { created_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' };
      const schedules = [1, 2].map((id) => ({ id, ...nightly, ...times }));
      await ci.call(importSchedules, { owner_id: ci.stubs.user('importer').id, schedules }, contextOf({ project }));
      expect((await ci.call(listSchedules, { id: '1' }, as)).items).toMatchObject([nightly, nightly]);
    },
  ],
  [
    createFreezePeriod,
    async () => {
      const { as } = await scene();
      const times = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' };
      const { id: freeze_period_id } = await ci.call(createFreezePeriod, { id: '1', ...times }, as);
      const one = { id: '1', freeze_period_id };
      await ci.call(updateFreezePeriod, { ...one, freeze_end: '0 8 * * 1' }, as);
      expect((await ci.call(listFreezePeriods, { id: '1' }, as)).items).toMatchObject([{ freeze_end: '0 8 * * 1' }]);
      await ci.call(deleteFreezePeriod, one, as);
      expect((await ci.call(listFreezePeriods, { id: '1' }, as)).items).toEqual([]);
    },
  ],
  [
    createFeatureFlag,
    async () => {
      const { as } = await scene();
      const flag = { id: '1', name: 'flag', version: 'new_version_flag' as const };
      const list = await ci.call(createFeatureFlagUserList, { id: '1', name: 'friends', user_xids: 'ann' }, as);
      await ci.call(createFeatureFlag, { ...flag, strategies: [{ name: 'default' }] }, as);
      const strategy = { name: 'gitlabUserList' as const, user_list_id: list.id };
      await ci.call(updateFeatureFlag, { id: '1', feature_flag_name: 'flag', strategies: [strategy] }, as);
      await ci.call(updateFeatureFlagUserList, { id: '1', iid: list.iid, user_xids: 'bob' }, as);
      const { items } = await ci.call(listFeatureFlags, { id: '1' }, as);
      expect(items).toMatchObject([{ strategies: [{ name: 'default' }, { user_list: { user_xids: 'bob' } }] }]);
      await ci.call(deleteFeatureFlag, { id: '1', feature_flag_name: 'flag' }, as);
      await ci.call(deleteFeatureFlagUserList, { id: '1', iid: list.iid }, as);
      expect((await ci.call(listFeatureFlags, { id: '1' }, as)).items).toEqual([]);
    },
  ],
  [
    protectEnvironment,
    async () => {
      const { as } = await scene();
      const name = { id: '1', name: 'staging' };
      await ci.call(protectEnvironment, { ...name, deploy_access_levels: [{ access_level: 40 }] }, as);
      await ci.call(updateProtectedEnvironment, { ...name, deploy_access_levels: [{ access_level: 30 }] }, as);
      const { items } = await ci.call(listProtectedEnvironments, { id: '1' }, as);
      expect(items).toMatchObject([{ deploy_access_levels: [{ access_level: 40 }, { access_level: 30 }] }]);
      await ci.call(unprotectEnvironment, name, as);
      expect((await ci.call(listProtectedEnvironments, { id: '1' }, as)).items).toEqual([]);
    },
  ],
  [
    deleteRunner,
    async () => {
      const { as, runner } = await scene();
      await ci.call(deleteRunner, { runner_id: runner.id }, as);
      expect((await ci.call(listProjectRunners, { id: '1', type: 'project_type' }, as)).items).toEqual([]);
    },
  ],
  [
    appendJobTrace,
    async () => {
      const { as, runner } = await scene();
      await ci.call(createPipeline, { id: '1', ref: 'main' }, as);
      const { id, token } = (await ci.call(requestJob, { token: runner.token }, contextOf({})))!;
      const piece = { id, token, content_range: '0-4', body: Buffer.from('done\n').toString('base64') };
      await ci.call(appendJobTrace, piece, contextOf({}));
      const { url } = await ci.call(getJobTrace, { id: '1', job_id: id }, as);
      expect(await (await fetch(url)).text()).toBe('done\n');
    },
  ],
];

itUnderFaults.each(rows.map(([operation, act]) => [operation.name, operation, act] as const))(
  '%s takes effect once if acknowledged',
  async (_name, operation, act) => {
    await throughFaults(ci.under.client, operation, act);
  },
  120_000,
);
