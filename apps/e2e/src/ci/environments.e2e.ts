import { newUser, uniqueName } from '../server/connection';

/* Environments, deployments and deployers, by @gitbeaker/rest. */

let user: Awaited<ReturnType<typeof newUser>>;
let id: number;
let sha: string;
beforeAll(async () => {
  user = await newUser('deployer');
  ({ id } = await user.client.Projects.create({ name: uniqueName('deployed'), initializeWithReadme: true }));
  sha = (await user.client.Commits.show(id, 'main')).id;
});

it('Environments: make, list, show, change, stop, remove', async () => {
  const { Environments } = user.client;
  const made = await Environments.create(id, 'review/one', { externalUrl: 'https://one.example.com', tier: 'testing' });
  expect(made).toMatchObject({ name: 'review/one', external_url: 'https://one.example.com', tier: 'testing' });
  expect(await Environments.all(id, { search: 'view/' })).toMatchObject([{ id: made.id, state: 'available' }]);
  await Environments.edit(id, made.id, { externalUrl: 'https://two.example.com' });
  expect(await Environments.show(id, made.id)).toMatchObject({
    ...{ external_url: 'https://two.example.com', tier: 'testing', last_deployment: null },
  });
  // The client sends it in the wrong place unless it is given with the other fields.
  const before = new Date().toISOString();
  await expect(Environments.stopStale(id, before, { before } as never)).rejects.toThrow('Invalid Date');
  const aMonthAgo = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000).toISOString();
  await Environments.stopStale(id, aMonthAgo, { before: aMonthAgo } as never);
  await expect(Environments.remove(id, made.id)).rejects.toThrow('not stopped');
  expect(await Environments.stop(id, made.id)).toMatchObject({ state: 'stopped' });
  const soon = new Date(Date.now() + 60_000).toISOString();
  expect(await Environments.removeReviewApps(id, { before: soon })).toMatchObject({
    scheduled_entries: [{ id: made.id }],
  });
  await Environments.remove(id, made.id);
  expect(await Environments.all(id)).toEqual([]);
});

it('Deployments: create, list, show, update, list merge requests, delete', async () => {
  const { Branches, Commits, Deployments, Environments, MergeRequests } = user.client;
  const first = await Deployments.create(id, 'production', sha, 'main', false, { status: 'success' });
  expect(first).toMatchObject({ iid: 1, status: 'success', sha, user: { id: user.id }, deployable: null });
  await Branches.create(id, 'topic', 'main');
  await Commits.create(id, 'topic', 'Add', [{ action: 'create', filePath: 'a', content: 'a' }]);
  const { iid } = await MergeRequests.create(id, 'topic', 'main', 'Add a');
  await MergeRequests.accept(id, iid);
  const { id: head } = await Commits.show(id, 'main');
  const second = await Deployments.create(id, 'production', head, 'main', false, { status: 'running' });
  await Deployments.edit(id, second.id, 'success');
  expect(await Deployments.show(id, second.id)).toMatchObject({
    status: 'success',
    environment: { name: 'production' },
  });
  expect(await Deployments.allMergeRequests(id, second.id)).toMatchObject([{ iid, state: 'merged' }]);
  expect(await Deployments.allMergeRequests(id, first.id)).toEqual([]);
  const listed = await Deployments.all(id, { environment: 'production', status: 'success', sort: 'desc' });
  expect(listed.map((deployment) => deployment.id)).toEqual([second.id, first.id]);
  const [environment] = await Environments.all(id, { name: 'production' });
  expect(await Environments.show(id, environment!.id)).toMatchObject({ last_deployment: { id: second.id } });
  await Deployments.remove(id, first.id);
  await expect(Deployments.remove(id, second.id)).rejects.toThrow('currently deployed');
});

it('ProjectProtectedEnvironments: make, list, show, change, remove', async () => {
  const { ProjectProtectedEnvironments } = user.client;
  const made = await ProjectProtectedEnvironments.create(id, 'live', [{ accessLevel: 40 }] as never);
  expect(made).toMatchObject({ name: 'live', deploy_access_levels: [{ access_level: 40 }] });
  const grant = made.deploy_access_levels![0] as unknown as { id: number };
  const levels = [{ id: grant.id, _destroy: true }, { user_id: user.id }];
  await ProjectProtectedEnvironments.edit(id, 'live', { deployAccessLevels: levels } as never);
  expect(await ProjectProtectedEnvironments.show(id, 'live')).toMatchObject({
    deploy_access_levels: [{ user_id: user.id, access_level: null }],
  });
  expect(await ProjectProtectedEnvironments.all(id)).toHaveLength(1);
  await ProjectProtectedEnvironments.remove(id, 'live');
  expect(await ProjectProtectedEnvironments.all(id)).toEqual([]);
});

it('GroupProtectedEnvironments: create, list, show, update, delete, and enforce in projects below', async () => {
  const name = uniqueName('operated');
  const { id: groupId } = await user.client.Groups.create(name, name);
  const project = await user.client.Projects.create({ name, namespaceId: groupId, initializeWithReadme: true });
  const developer = await newUser('developer');
  await user.client.ProjectMembers.add(project.id, 30, { userId: developer.id });
  const { GroupProtectedEnvironments } = user.client;
  const made = await GroupProtectedEnvironments.create(groupId, 'production', [{ accessLevel: 30 }] as never);
  expect(made).toMatchObject({ name: 'production', deploy_access_levels: [{ access_level: 30 }] });
  const head = (await user.client.Commits.show(project.id, 'main')).id;
  const deploy = (who: typeof user) =>
    who.client.Deployments.create(project.id, 'prod', head, 'main', false, { status: 'success' });
  await expect(deploy(developer)).rejects.toThrow('protected');
  await deploy(user);
  await user.client.GroupMembers.add(groupId, 30, { userId: developer.id });
  await deploy(developer);
  const grant = made.deploy_access_levels![0] as unknown as { id: number };
  const levels = [{ id: grant.id, access_level: 40 }];
  await GroupProtectedEnvironments.edit(groupId, 'production', { deployAccessLevels: levels } as never);
  expect(await GroupProtectedEnvironments.show(groupId, 'production')).toMatchObject({
    deploy_access_levels: [{ access_level: 40 }],
  });
  await expect(deploy(developer)).rejects.toThrow('protected');
  expect(await GroupProtectedEnvironments.all(groupId)).toHaveLength(1);
  await GroupProtectedEnvironments.remove(groupId, 'production');
  expect(await GroupProtectedEnvironments.all(groupId)).toEqual([]);
  await deploy(developer);
});
