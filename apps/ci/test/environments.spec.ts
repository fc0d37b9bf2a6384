import {
  Access,
  createDeployment,
  createEnvironment,
  createPipeline,
  deleteDeployment,
  deleteEnvironment,
  deleteReviewApps,
  deploymentChanged,
  type GroupRef,
  getDeployment,
  getEnvironment,
  getGroupProtectedEnvironment,
  getPipeline,
  groupDeleted,
  listDeployedMergeRequests,
  listDeployments,
  listEnvironments,
  listGroupProtectedEnvironments,
  listPipelineJobs,
  listProtectedEnvironments,
  type ProjectRef,
  playJob,
  projectDeleted,
  protectEnvironment,
  protectGroupEnvironment,
  registerRunner,
  reportJob,
  repositoryUpdated,
  requestJob,
  resetProjectRegistrationToken,
  retryJob,
  stopEnvironment,
  stopStaleEnvironments,
  unprotectEnvironment,
  unprotectGroupEnvironment,
  updateDeployment,
  updateEnvironment,
  updateGroupProtectedEnvironment,
  updateProtectedEnvironment,
  userDeleted,
} from '@moothall/contracts';
import { contextOf, eventually } from '@moothall/testing';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { EnvironmentRecord } from '../src/environment/environment.schema';
import { FollowDeployingJobs } from '../src/environment/operations/follow-deploying-jobs';
import { StopDueEnvironments } from '../src/environment/operations/stop-due-environments';
import { CiUnderTest } from './ci-under-test';

const deployFile = (environment: object = {}, over: object = {}) =>
  JSON.stringify({
    deploy: {
      script: 'x',
      environment: { name: 'production', url: 'https://$CI_COMMIT_REF_NAME.test', ...environment },
    },
    ...over,
  });
const reviewFile = deployFile(
  { name: 'review/$CI_COMMIT_REF_NAME', on_stop: 'stop' },
  { stop: { script: 'x', when: 'manual', environment: { name: 'review/$CI_COMMIT_REF_NAME', action: 'stop' } } },
);
const sha = 'c'.repeat(40);
const weeks = (count: number) => new Date(Date.now() - count * 7 * 24 * 60 * 60 * 1000);

let ci: CiUnderTest;
beforeAll(async () => {
  ci = await CiUnderTest.start();
});
afterAll(() => ci?.stop());

const environmentsIn = (): Model<EnvironmentRecord> =>
  ci.under.running.app.get(getModelToken('Environment'), { strict: false });
const codeOf = (code: string) => ({ value: { code } });

async function scene(file: string | null = deployFile(), over: Partial<ProjectRef> = {}) {
  const project = ci.stubs.project(over, file);
  const user = ci.stubs.user('maintainer');
  const as = ci.stubs.as(user, project, Access.Maintainer);
  const { token } = await ci.call(resetProjectRegistrationToken, { id: '1' }, as);
  const runner = await ci.call(registerRunner, { token }, contextOf({}));
  const run = (context = as) => ci.call(createPipeline, { id: '1', ref: 'main' }, context);
  const take = () => ci.call(requestJob, { token: runner.token }, contextOf({}));
  const end = (job: { id: number; token: string } | null, state: 'success' | 'failed' = 'success') =>
    ci.call(reportJob, { id: job!.id, token: job!.token, state }, contextOf({}));
  const environments = async (over = {}) => (await ci.call(listEnvironments, { id: '1', ...over }, as)).items;
  const environment = async (name: string) => {
    const [found] = await environments({ name });
    return found && ci.call(getEnvironment, { id: '1', environment_id: found.id }, as);
  };
  const deployments = async (over = {}) => (await ci.call(listDeployments, { id: '1', ...over }, as)).items;
  const add = (name: string, over = {}) => ci.call(createEnvironment, { id: '1', name, ...over }, as);
  const deploy = (over = {}) =>
    ci.call(
      createDeployment,
      { id: '1', environment: 'production', sha, ref: 'main', tag: false, status: 'success', ...over },
      as,
    );
  const jobsOf = async (pipeline_id: number) => (await ci.call(listPipelineJobs, { id: '1', pipeline_id }, as)).items;
  const isInState = (name: string, state: string) =>
    eventually(async () => (await environment(name))?.state === state, `${name} to be ${state}`);
  return { project, user, as, run, take, end, environments, environment, deployments, add, deploy, jobsOf, isInState };
}

describe('an environment', () => {
  it('is created, listed, found, changed, stopped and deleted', async () => {
    const s = await scene();
    const made = await s.add('staging/eu', { external_url: 'https://eu.example.com', description: 'for us' });
    expect(made).toMatchObject({
      ...{ name: 'staging/eu', state: 'available', tier: 'staging', external_url: 'https://eu.example.com' },
      ...{ slug: expect.stringMatching(/^staging-eu-[0-9a-f]{6}$/), last_deployment: null, auto_stop_at: null },
    });
    const other = await s.add('production');
    expect((await s.environments()).map(({ id }) => id)).toEqual([made.id, other.id]);
    expect(await s.environments({ search: 'ING/EU' })).toMatchObject([{ id: made.id }]);
    expect(await s.environments({ name: 'production' })).toMatchObject([{ id: other.id }]);
    const target = { id: '1', environment_id: made.id };
    const changed = await ci.call(updateEnvironment, { ...target, tier: 'other', external_url: '' }, s.as);
    expect(changed).toMatchObject({ tier: 'other', external_url: null, description: 'for us' });
    await expect(ci.call(deleteEnvironment, target, s.as)).rejects.toMatchObject(codeOf('environment.not_stopped'));
    expect(await ci.call(stopEnvironment, target, s.as)).toMatchObject({ state: 'stopped' });
    expect(await s.environments({ states: 'stopped' })).toMatchObject([{ id: made.id }]);
    await ci.call(deleteEnvironment, target, s.as);
    await expect(ci.call(getEnvironment, target, s.as)).rejects.toMatchObject(codeOf('environment.not_found'));
  });

  it.each(['a:b', '/a', 'a/', 'x'.repeat(256), ''])('is not named %s', async (name) => {
    const s = await scene();
    await expect(s.add(name)).rejects.toThrow('name');
  });

  it('has a unique name, also if two are created concurrently', async () => {
    const s = await scene();
    const made = await Promise.allSettled([s.add('one'), s.add('one'), s.add('one')]);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await s.environments()).toHaveLength(1);
    await expect(s.add('one')).rejects.toMatchObject({ value: { message: { name: ['has already been taken'] } } });
  });

  it.each(['javascript:alert(1)', 'nowhere', `https://x.test/${'x'.repeat(2000)}`])('is not at %s', async (url) => {
    const s = await scene();
    await expect(s.add('one', { external_url: url })).rejects.toThrow('external_url');
  });

  it('cannot be changed in an archived project, and is deleted with the project', async () => {
    const s = await scene();
    const { id } = await s.add('one');
    await s.deploy();
    const archived = { ...s.as, project: { ...s.as.project!, isArchived: true } };
    const stop = ci.call(stopEnvironment, { id: '1', environment_id: id }, archived);
    await expect(stop).rejects.toMatchObject(codeOf('project.archived'));
    await ci.under.emit(projectDeleted, { project_id: s.project.id, full_path: 'group/app', storage: 'default' });
    await eventually(async () => (await s.environments()).length + (await s.deployments()).length === 0);
  });
});

describe('a job', () => {
  it('deploys to its environment, which is created', async () => {
    const s = await scene(deployFile({ deployment_tier: 'testing', auto_stop_in: '2 days' }));
    const pipeline = await s.run();
    await eventually(async () => (await s.deployments()).length === 1, 'the deployment');
    expect(await s.deployments()).toMatchObject([
      { iid: 1, status: 'created', ref: 'main', sha: 'a'.repeat(40), user: { id: s.user.id }, finished_at: null },
    ]);
    const job = await s.take();
    expect(job!.variables).toContainEqual(expect.objectContaining({ key: 'CI_ENVIRONMENT_TIER', value: 'testing' }));
    await eventually(async () => (await s.deployments({ status: 'running' })).length === 1, 'it to run');
    expect(await s.environment('production')).toMatchObject({ last_deployment: null, tier: 'testing' });
    await s.end(job);
    await eventually(async () => (await s.deployments({ status: 'success' })).length === 1, 'its success');
    await eventually(async () => (await s.environment('production'))!.last_deployment !== null);
    expect(await s.environment('production')).toMatchObject({
      external_url: 'https://main.test',
      auto_stop_at: expect.any(String),
      last_deployment: {
        status: 'success',
        finished_at: expect.any(String),
        deployable: { id: job!.id, name: 'deploy', pipeline: { id: pipeline.id } },
      },
    });
    const published = ci.under.events(deploymentChanged).filter(({ data }) => data.project_id === s.project.id);
    expect(published.map(({ data }) => data.status)).toEqual(['created', 'running', 'success']);
  });

  it('publishes a failure, and the last successful deployment stays the last', async () => {
    const s = await scene();
    await s.run();
    await s.end(await s.take());
    await eventually(async () => (await s.environment('production'))?.last_deployment, 'the first');
    const first = (await s.environment('production'))!.last_deployment;
    await s.run();
    await s.end(await s.take(), 'failed');
    await eventually(async () => (await s.deployments({ status: 'failed' })).length === 1, 'the second');
    expect((await s.environment('production'))!.last_deployment).toMatchObject({ id: first!.id });
  });

  it('creates one deployment from late, repeated or concurrent events, which stays ended', async () => {
    const s = await scene();
    await s.run();
    const job = await s.take();
    const follow = ci.under.running.app.get(FollowDeployingJobs, { strict: false });
    const event = { data: { environment: 'production', job_id: job!.id } } as never;
    await Promise.all(Array.from({ length: 10 }, () => follow.onJobChanged(event)));
    await s.end(job);
    await Promise.all(Array.from({ length: 10 }, () => follow.onJobChanged(event)));
    expect(await s.deployments()).toMatchObject([{ status: 'success' }]);
  });

  it('fails if variables create an invalid name', async () => {
    const s = await scene(deployFile({ name: 'a/$NONE' }));
    const { id, status } = await s.run();
    expect(status).toBe('failed');
    expect(await s.jobsOf(id)).toMatchObject([{ status: 'failed', failure_reason: 'environment_creation_failure' }]);
  });
});

describe('stopping', () => {
  const deployed = async () => {
    const s = await scene(reviewFile);
    const { id } = await s.run();
    await s.end(await s.take());
    await eventually(async () => (await s.environment('review/main'))?.last_deployment, 'the deployment');
    const environment = (await s.environment('review/main'))!;
    const stop = (over = {}) => ci.call(stopEnvironment, { id: '1', environment_id: environment.id, ...over }, s.as);
    return { ...s, pipelineId: id, environmentId: environment.id, stop };
  };

  it('runs its on_stop job, and stops when that job succeeds', async () => {
    const s = await deployed();
    expect(await s.stop()).toMatchObject({ state: 'stopping' });
    // Requested twice, it runs once.
    await s.stop();
    const job = await s.take();
    expect(job!.job_info.name).toBe('stop');
    expect(await s.take()).toBeNull();
    await s.end(job);
    await s.isInState('review/main', 'stopped');
    // A repeated event of an earlier deployment does not restore it.
    const follow = ci.under.running.app.get(FollowDeployingJobs, { strict: false });
    const { deployable } = (await s.environment('review/main'))!.last_deployment!;
    await follow.onJobChanged({ data: { environment: 'review/main', job_id: deployable!.id } } as never);
    expect(await s.environment('review/main')).toMatchObject({ state: 'stopped' });
    await s.run();
    await s.end(await s.take());
    await s.isInState('review/main', 'available');
  });

  it('is immediate with force, or if the pipeline of that job was deleted', async () => {
    const s = await deployed();
    expect(await s.stop({ force: true })).toMatchObject({ state: 'stopped' });
    expect(await s.take()).toBeNull();
    const other = await deployed();
    await ci.pipelines.deleteOne({ _id: other.pipelineId });
    expect(await other.stop()).toMatchObject({ state: 'stopped' });
  });

  it('happens at its auto_stop time, and when its branch is deleted', async () => {
    const s = await deployed();
    await environmentsIn().updateOne({ _id: s.environmentId }, { $set: { autoStopAt: new Date(0) } });
    await ci.under.running.app.get(StopDueEnvironments, { strict: false }).run();
    expect(await s.environment('review/main')).toMatchObject({ state: 'stopping', auto_stop_at: null });
    expect(await s.jobsOf(s.pipelineId)).toContainEqual(expect.objectContaining({ name: 'stop', status: 'pending' }));
    const other = await deployed();
    await ci.under.emit(repositoryUpdated, {
      project_id: other.project.id,
      user: null,
      changes: [{ ref: 'refs/heads/main', before: 'a'.repeat(40), after: '0'.repeat(40) }],
    } as never);
    await other.isInState('review/main', 'stopping');
  });

  it('is refused if the required job does not exist', async () => {
    const s = await scene();
    const { id } = await s.add('one', { auto_stop_setting: 'with_action' });
    await environmentsIn().updateOne({ _id: id }, { $set: { autoStopAt: new Date(0) } });
    await ci.under.running.app.get(StopDueEnvironments, { strict: false }).run();
    expect(await s.environment('one')).toMatchObject({ state: 'available', auto_stop_at: null });
  });

  it('selects environments without recent deployments, except protected ones', async () => {
    const s = await scene();
    const [old, , guarded] = [await s.add('old'), await s.add('new'), await s.add('guarded')];
    const grants = [{ access_level: 60 as const }];
    await ci.call(protectEnvironment, { id: '1', name: 'guarded', deploy_access_levels: grants }, s.as);
    const ids = { _id: { $in: [old.id, guarded.id] } };
    await environmentsIn().updateMany(ids, { $set: { updatedAt: weeks(3) } }, { timestamps: false });
    const stop = (before: Date) => ci.call(stopStaleEnvironments, { id: '1', before: before.toISOString() }, s.as);
    await expect(stop(new Date())).rejects.toMatchObject(codeOf('environment.invalid_date'));
    await stop(weeks(2));
    expect(await s.environments({ states: 'stopped' })).toMatchObject([{ id: old.id }]);
  });

  it('deletes review apps that were stopped long ago', async () => {
    const s = await scene();
    const [app] = [await s.add('review/old'), await s.add('review/new'), await s.add('preview')];
    for (const { id } of await s.environments()) await ci.call(stopEnvironment, { id: '1', environment_id: id }, s.as);
    await environmentsIn().updateMany({ _id: app!.id }, { $set: { updatedAt: weeks(6) } }, { timestamps: false });
    const entries = { scheduled_entries: [{ id: app!.id }], unprocessable_entries: [] };
    expect(await ci.call(deleteReviewApps, { id: '1' }, s.as)).toMatchObject(entries);
    expect(await s.environments()).toHaveLength(3);
    expect(await ci.call(deleteReviewApps, { id: '1', dry_run: false }, s.as)).toMatchObject(entries);
    expect((await s.environments()).map(({ name }) => name)).toEqual(['review/new', 'preview']);
  });
});

describe('a deployment', () => {
  it('is created and changed by external programs', async () => {
    const s = await scene();
    const made = await s.deploy({ status: 'running' });
    expect(made).toMatchObject({ status: 'running', deployable: null, environment: { name: 'production' }, iid: 1 });
    const target = { id: '1', deployment_id: made.id };
    await expect(ci.call(deleteDeployment, target, s.as)).rejects.toMatchObject(codeOf('deployment.running'));
    const ended = await ci.call(updateDeployment, { ...target, status: 'success' }, s.as);
    expect(ended).toMatchObject({ status: 'success', finished_at: expect.any(String) });
    expect(await s.environment('production')).toMatchObject({ last_deployment: { id: made.id } });
    await expect(ci.call(deleteDeployment, target, s.as)).rejects.toMatchObject(codeOf('deployment.current'));
    await s.deploy();
    await ci.call(deleteDeployment, target, s.as);
    await expect(ci.call(getDeployment, target, s.as)).rejects.toMatchObject(codeOf('deployment.not_found'));
  });

  it('needs an existing commit and branch', async () => {
    const s = await scene();
    await expect(s.deploy({ sha: '0'.repeat(40) })).rejects.toMatchObject({
      value: { message: { sha: ['The commit does not exist'] } },
    });
    await expect(s.deploy({ ref: 'gone' })).rejects.toMatchObject({
      value: { message: { ref: ['The branch or tag does not exist'] } },
    });
    expect(await s.environments()).toEqual([]);
  });

  it('is listed by environment, status and time, in the requested order', async () => {
    const s = await scene();
    const [a, b, c] = [
      await s.deploy(),
      await s.deploy({ environment: 'staging', status: 'failed' }),
      await s.deploy({ ref: 'v1', tag: true }),
    ];
    const ids = async (over = {}) => (await s.deployments(over)).map(({ id }) => id);
    expect(await ids()).toEqual([a.id, b.id, c.id]);
    expect(await ids({ environment: 'staging' })).toEqual([b.id]);
    expect(await ids({ environment: 'none' })).toEqual([]);
    expect(await ids({ status: 'blocked' })).toEqual([]);
    expect(await ids({ status: 'success', sort: 'desc' })).toEqual([c.id, a.id]);
    expect(await ids({ order_by: 'ref', sort: 'desc' })).toEqual([c.id, b.id, a.id]);
    expect(await ids({ order_by: 'finished_at', finished_after: c.finished_at })).toContain(c.id);
    expect(await ids({ updated_before: weeks(1).toISOString() })).toEqual([]);
  });

  it('lists the merge requests that the previous one did not contain', async () => {
    const s = await scene();
    await s.deploy();
    const second = await s.deploy({ sha: 'd'.repeat(40) });
    const { items } = await ci.call(listDeployedMergeRequests, { id: '1', deployment_id: second.id }, s.as);
    expect(items).toEqual([]);
    expect(ci.stubs.ranges.at(-1)).toMatchObject({ sha: 'd'.repeat(40), without: sha });
  });

  it('belongs to the ghost user after its user was deleted', async () => {
    const s = await scene();
    const { id } = await s.deploy();
    const ghost = ci.stubs.user('ghost');
    await ci.under.emit(userDeleted, {
      ...{ user_id: s.user.id, username: 'maintainer', hard_delete: false, ghost_user_id: ghost.id },
    });
    const user = async () => (await ci.call(getDeployment, { id: '1', deployment_id: id }, s.as)).user;
    await eventually(async () => (await user())?.id === ghost.id);
  });
});

describe('a protected environment', () => {
  const guard = (s: Awaited<ReturnType<typeof scene>>, grants: object[]) =>
    ci.call(protectEnvironment, { id: '1', name: 'production', deploy_access_levels: grants }, s.as);

  it('gives no jobs of other users to runners, and can be started, stopped and deployed to only by its users', async () => {
    const s = await scene(
      deployFile({}, { later: { script: 'x', when: 'manual', environment: 'production', retry: 2 } }),
    );
    await guard(s, [{ access_level: 40 }]);
    const developer = ci.stubs.as(ci.stubs.user('developer'), s.project, Access.Developer);
    const { id } = await s.run(developer);
    expect(await s.take()).toBeNull();
    const [later, job] = await s.jobsOf(id);
    expect(job).toMatchObject({ status: 'failed', failure_reason: 'protected_environment_failure' });
    expect(await ci.call(getPipeline, { id: '1', pipeline_id: id }, s.as)).toMatchObject({ status: 'failed' });
    const refused = codeOf('environment.is_protected');
    for (const operation of [playJob, retryJob] as const) {
      const { id: job_id } = operation === playJob ? later! : job!;
      await expect(ci.call(operation, { id: '1', job_id }, developer)).rejects.toMatchObject(refused);
    }
    await eventually(async () => (await s.environments()).length === 1);
    const [{ id: environment_id }] = (await s.environments()) as unknown as [{ id: number }];
    const said = { id: '1', environment: 'production', sha, ref: 'main', tag: false, status: 'success' as const };
    await expect(ci.call(createDeployment, said, developer)).rejects.toMatchObject(refused);
    await expect(ci.call(stopEnvironment, { id: '1', environment_id }, developer)).rejects.toMatchObject(refused);
    await ci.call(retryJob, { id: '1', job_id: job!.id }, s.as);
    expect((await s.take())!.job_info.name).toBe('deploy');
  });

  it('is open to users and members of groups that are named, and to administrators', async () => {
    const s = await scene();
    const [named, member] = [ci.stubs.user('named'), ci.stubs.user('member')];
    const admin = ci.stubs.user('admin', { isAdmin: true });
    const group = ci.stubs.group(member);
    for (const user of [named, member, admin]) ci.stubs.setLevel(user, s.project, Access.Developer);
    const made = await guard(s, [{ user_id: named.id }, { group_id: group.id }]);
    expect(made.deploy_access_levels).toMatchObject([
      { user_id: named.id, group_id: null, access_level: null, access_level_description: 'named' },
      { user_id: null, group_id: group.id, access_level_description: 'deployers' },
    ]);
    for (const user of [named, member, admin]) {
      await s.run(ci.stubs.as(user, s.project));
      const job = await s.take();
      expect(job).not.toBeNull();
      await s.end(job);
    }
    await s.run();
    expect(await s.take()).toBeNull();
    await ci.under.emit(groupDeleted, { group_id: group.id } as never);
    const levels = async () =>
      (await ci.call(listProtectedEnvironments, { id: '1' }, s.as)).items[0]!.deploy_access_levels;
    await eventually(async () => (await levels()).length === 1);
  });

  it('is protected once, changed grant by grant, and no longer', async () => {
    const s = await scene();
    const made = await guard(s, [{ access_level: 30 }]);
    expect(made).toMatchObject({ name: 'production', required_approval_count: 0 });
    await expect(guard(s, [{ access_level: 30 }])).rejects.toMatchObject({
      value: { code: 'protected_environment.taken', message: "Protected environment 'production' already exists" },
    });
    const change = (...deploy_access_levels: object[]) =>
      ci.call(updateProtectedEnvironment, { id: '1', name: 'production', deploy_access_levels }, s.as);
    const [{ id }] = made.deploy_access_levels as unknown as [{ id: number }];
    await change({ id, access_level: 40 }, { access_level: 60 });
    const after = await change({ id, _destroy: true });
    expect(after.deploy_access_levels).toMatchObject([{ access_level: 60 }]);
    await expect(change({ id: 999_999, _destroy: true })).rejects.toThrow('is not found');
    await expect(change({ access_level: 60 })).rejects.toThrow('has already been taken');
    await expect(change({ access_level: 30, user_id: 1 })).rejects.toThrow();
    await ci.call(unprotectEnvironment, { id: '1', name: 'production' }, s.as);
    await expect(change({ access_level: 30 })).rejects.toMatchObject(codeOf('protected_environment.not_found'));
  });

  it('stores both grants if two are added concurrently', async () => {
    const s = await scene();
    await guard(s, [{ access_level: 60 }]);
    const change = (grant: object) =>
      ci.call(updateProtectedEnvironment, { id: '1', name: 'production', deploy_access_levels: [grant] }, s.as);
    await Promise.all([change({ access_level: 30 }), change({ access_level: 40 }), change({ user_id: s.user.id })]);
    const { items } = await ci.call(listProtectedEnvironments, { id: '1' }, s.as);
    expect(items[0]!.deploy_access_levels).toHaveLength(4);
  });

  it.each([
    ['nobody', []],
    ['two in one', [{ access_level: 30, user_id: 1 }]],
    ['a level that is none', [{ access_level: 20 }]],
    ['who is no member', [{ user_id: 999_999 }]],
    ['a group that is not there', [{ group_id: 999_999 }]],
    ['too many', Array.from({ length: 101 }, (_, n) => ({ user_id: n + 1 }))],
    ['direct members alone', [{ group_id: 1, group_inheritance_type: 0 }]],
  ])('is not for %s', async (_what, grants) => {
    const s = await scene();
    await expect(guard(s, grants)).rejects.toThrow();
    expect((await ci.call(listProtectedEnvironments, { id: '1' }, s.as)).items).toEqual([]);
  });
});

describe('a tier that a group protects', () => {
  const inGroup = (s: Awaited<ReturnType<typeof scene>>, group: GroupRef) =>
    contextOf({ caller: s.user, group: { ...group, accessLevel: Access.Maintainer } });

  async function below(file: string = deployFile()) {
    const [operator, ops] = [ci.stubs.user('operator'), ci.stubs.user('ops')];
    const [top, named] = [ci.stubs.group(operator), ci.stubs.group(ops)];
    const s = await scene(file, { groupIds: [named.id + 1_000_000, top.id] });
    for (const user of [operator, ops]) ci.stubs.setLevel(user, s.project, Access.Developer);
    const protect = (grants: object[], name = 'production' as const) =>
      ci.call(protectGroupEnvironment, { id: '1', name, deploy_access_levels: grants }, inGroup(s, top));
    return { ...s, operator, ops, top, named, protect, asGroup: inGroup(s, top) };
  }
  const said = (environment: string) => ({
    ...{ id: '1', environment, sha, ref: 'main', tag: false, status: 'success' as const },
  });

  it('allows deployments of members with that level, and of named users', async () => {
    const s = await below();
    // A maintainer of the project is not a member of the group.
    await s.protect([{ access_level: 30 }, { group_id: s.named.id }]);
    const refused = codeOf('environment.is_protected');
    for (const name of ['production', 'prod/eu'])
      await expect(ci.call(createDeployment, said(name), s.as)).rejects.toMatchObject(refused);
    await ci.call(createDeployment, said('staging'), s.as);
    for (const user of [s.operator, s.ops])
      await ci.call(createDeployment, said('production'), ci.stubs.as(user, s.project, Access.Developer));
    const admin = ci.stubs.user('admin', { isAdmin: true });
    await ci.call(createDeployment, said('production'), ci.stubs.as(admin, s.project, Access.Owner));
  });

  it('withholds jobs of other users from runners, whatever tier the file names', async () => {
    const s = await below();
    await s.protect([{ access_level: 30 }]);
    const { id } = await s.run();
    expect(await s.take()).toBeNull();
    expect(await s.jobsOf(id)).toMatchObject([{ failure_reason: 'protected_environment_failure' }]);
    ci.stubs.setFile(s.project, deployFile({ deployment_tier: 'other' }));
    await eventually(async () => (await s.environments({ name: 'production' })).length === 1);
    await s.run();
    expect(await s.take()).toBeNull();
    ci.stubs.setFile(s.project, deployFile({ name: 'fresh', deployment_tier: 'production' }));
    await s.run();
    expect(await s.take()).toBeNull();
    ci.stubs.setFile(s.project, deployFile());
    await s.run(ci.stubs.as(s.operator, s.project, Access.Developer));
    expect((await s.take())!.job_info.name).toBe('deploy');
  });

  it('requires the rights of the project as well', async () => {
    const s = await below();
    await s.protect([{ access_level: 30 }]);
    const grants = [{ access_level: 40 as const }];
    await ci.call(protectEnvironment, { id: '1', name: 'production', deploy_access_levels: grants }, s.as);
    const as = (level: typeof Access.Developer | typeof Access.Maintainer) => ci.stubs.as(s.operator, s.project, level);
    const refused = codeOf('environment.is_protected');
    await expect(ci.call(createDeployment, said('production'), as(Access.Developer))).rejects.toMatchObject(refused);
    await ci.call(createDeployment, said('production'), as(Access.Maintainer));
  });

  it('can be set and removed only by users who may deploy there', async () => {
    const s = await below();
    await s.protect([{ access_level: 30 }]);
    const [live, other] = [await s.add('production'), await s.add('other')];
    const change = (environment_id: number, tier: 'other' | 'production', context = s.as) =>
      ci.call(updateEnvironment, { id: '1', environment_id, tier }, context);
    const refused = codeOf('environment.is_protected');
    await expect(change(live.id, 'other')).rejects.toMatchObject(refused);
    await expect(change(other.id, 'production')).rejects.toMatchObject(refused);
    await change(live.id, 'other', ci.stubs.as(s.operator, s.project, Access.Developer));
  });

  it('is created once, listed, changed and deleted, and deleted with the group', async () => {
    const s = await below();
    const made = await s.protect([{ access_level: 40 }, { user_id: s.operator.id }]);
    expect(made).toMatchObject({ name: 'production', deploy_access_levels: [{ access_level: 40 }, {}] });
    await expect(s.protect([{ access_level: 40 }])).rejects.toMatchObject(codeOf('protected_environment.taken'));
    await expect(s.protect([{ user_id: s.user.id }], 'staging' as never)).rejects.toThrow('not a member of the group');
    await expect(s.protect([{ access_level: 40 }], 'live' as never)).rejects.toThrow();
    const one = { id: '1', name: 'production' as const };
    expect(await ci.call(getGroupProtectedEnvironment, one, s.asGroup)).toEqual(made);
    const [{ id }] = made.deploy_access_levels as unknown as [{ id: number }];
    const change = { ...one, deploy_access_levels: [{ id, _destroy: true }] };
    const after = await ci.call(updateGroupProtectedEnvironment, change, s.asGroup);
    expect(after.deploy_access_levels).toMatchObject([{ user_id: s.operator.id }]);
    const list = async () => (await ci.call(listGroupProtectedEnvironments, { id: '1' }, s.asGroup)).items;
    expect(await list()).toEqual([after]);
    await ci.call(unprotectGroupEnvironment, one, s.asGroup);
    const gone = codeOf('protected_environment.not_found');
    await expect(ci.call(unprotectGroupEnvironment, one, s.asGroup)).rejects.toMatchObject(gone);
    await s.protect([{ access_level: 30 }]);
    await ci.under.emit(groupDeleted, { group_id: s.top.id } as never);
    await eventually(async () => (await list()).length === 0);
  });
});
