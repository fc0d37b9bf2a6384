import { ask, newUser, root } from '../server/connection';
import { newWorld, type World } from './world';

/* Events of labels, milestones, states and weights, by a v4 client. */

type Client = World['member']['client'];

let world: World;

beforeAll(async () => {
  world = await newWorld();
  await root.GroupMembers.add(world.groupId, 40, { userId: world.member.id });
  await root.GroupLabels.create(world.groupId, 'one', '#112233', { description: 'The first' });
  await root.GroupLabels.create(world.groupId, 'two', '#445566');
});

/** A record whose label, milestone or similar changed from `one` to `two`: the path of its events. */
const kinds: Record<
  string,
  (world: World) => Promise<[parent: number, id: number, events: Client['IssueLabelEvents']]>
> = {
  Issue: async ({ projectId, member: { client } }) => {
    const { iid } = await client.Issues.create(projectId, 'Labelled', { labels: 'one' });
    await client.Issues.edit(projectId, iid, { labels: 'two' });
    return [projectId, iid, client.IssueLabelEvents];
  },
  MergeRequest: async ({ projectId, member: { client } }) => {
    const file = [{ action: 'create' as const, filePath: 'labelled.txt', content: 'x' }];
    await client.Commits.create(projectId, 'labelled', 'Write', file, { startBranch: 'main' });
    const options = { labels: 'one' };
    const { iid } = await client.MergeRequests.create(projectId, 'labelled', 'main', 'Labelled', options);
    await client.MergeRequests.edit(projectId, iid, { labels: 'two' });
    return [projectId, iid, client.MergeRequestLabelEvents];
  },
  Epic: async ({ groupId, member: { client } }) => {
    const { id, iid } = await client.Epics.create(groupId, 'Labelled', { labels: 'one' });
    await client.Epics.edit(groupId, iid, { labels: 'two' });
    return [groupId, id, client.EpicLabelEvents];
  },
};

it.each(Object.keys(kinds))('of the kind %s has every change', async (kind) => {
  const [parent, id, resource] = await kinds[kind]!(world);
  const events = await resource.all(parent, id);
  expect(events.map(({ action, label }) => [action, (label as { name: string }).name]).sort()).toEqual([
    ['add', 'one'],
    ['add', 'two'],
    ['remove', 'one'],
  ]);
  expect(await resource.show(parent, id, events[0]!.id)).toEqual({
    id: events[0]!.id,
    user: expect.objectContaining({ username: world.member.username }),
    created_at: expect.any(String),
    resource_type: kind,
    resource_id: expect.any(Number),
    action: 'add',
    label: expect.objectContaining({ name: 'one', color: '#112233', description: 'The first' }),
  });
  await expect(resource.show(parent, id, 99_999_999)).rejects.toThrow(/404/);
});

it('loses the label, not the event, when the label is deleted', async () => {
  const { projectId, member } = world;
  const { Issues, IssueLabelEvents, ProjectLabels } = member.client;
  await ProjectLabels.create(projectId, 'short-lived', 'red');
  const { iid } = await Issues.create(projectId, 'Outlives', { labels: 'short-lived' });
  await ProjectLabels.remove(projectId, 'short-lived');
  expect(await IssueLabelEvents.all(projectId, iid)).toMatchObject([{ action: 'add', label: null }]);
});

it('has milestones, states and weights of issues', async () => {
  const { projectId, project, member } = world;
  const { client, username } = member;
  const milestone = await client.ProjectMilestones.create(projectId, 'v1');
  const { iid, id } = await client.Issues.create(projectId, 'Weighed', { milestoneId: milestone.id, weight: 4 });
  await client.Issues.edit(projectId, iid, { stateEvent: 'close', milestoneId: 0 });
  const [set, removed] = await client.IssueMilestoneEvents.all(projectId, iid);
  expect(set).toMatchObject({ action: 'add', milestone: { title: 'v1' }, resource_id: id, user: { username } });
  expect(removed).toMatchObject({ action: 'remove', milestone: { title: 'v1' } });
  expect(await client.IssueMilestoneEvents.show(projectId, iid, set!.id)).toEqual(set);
  const [closed] = await client.IssueStateEvents.all(projectId, iid);
  expect(closed).toMatchObject({ state: 'closed', resource_type: 'Issue', resource_id: id, user: { username } });
  expect(await client.IssueStateEvents.show(projectId, iid, closed!.id)).toEqual(closed);
  // The client's class for weights requests states.
  expect(await client.IssueWeightEvents.all(projectId, iid)).toEqual([closed]);
  const weighed = await ask(`/api/v4${project}/issues/${iid}/resource_weight_events`, { token: member.token });
  expect(await weighed.json()).toMatchObject([{ issue_id: id, weight: 4, user: { username } }]);
});

it('has iterations of issues, which GraphQL makes and sets', async () => {
  const { groupId, projectId, member } = world;
  const { client } = member;
  const [{ full_path: groupPath }, { path_with_namespace: projectPath }] = await Promise.all([
    client.Groups.show(groupId),
    client.Projects.show(projectId),
  ]);
  const mutate = async (field: string, input: object, selection: string, token = member.token) => {
    const type = `${field[0]!.toUpperCase()}${field.slice(1)}Input!`;
    const query = `mutation ($input: ${type}) { ${field}(input: $input) { errors ${selection} } }`;
    const body = JSON.stringify({ query, variables: { input } });
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json' }, token };
    const answer = (await (await ask('/api/graphql', init)).json()) as {
      data: Record<string, Record<string, { id: string }>>;
    };
    return answer.data[field];
  };
  const selection =
    'iteration { id iid sequence title state startDate dueDate webUrl webPath createdAt updatedAt description }';
  const cadence = await mutate(
    'iterationCadenceCreate',
    { groupPath, title: 'Years', automatic: false },
    'iterationCadence { id title active automatic }',
  );
  const input = {
    ...{ groupPath, iterationsCadenceId: cadence!.iterationCadence!.id, title: 'This one' },
    ...{ startDate: '2020-02-29', dueDate: '2020-03-01' },
  };
  const made = await mutate('iterationCreate', input, selection);
  expect(made).toMatchObject({
    errors: [],
    iteration: { iid: '1', sequence: 1, state: 'closed', startDate: '2020-02-29' },
  });
  expect(await mutate('iterationCreate', input, selection)).toMatchObject({
    errors: [expect.stringMatching(/^Dates cannot overlap/)],
    iteration: null,
  });
  const { iid } = await client.Issues.create(projectId, 'In time');
  const { id: iterationId } = made!.iteration!;
  const where = { projectPath, iid: String(iid) };
  const shown = 'issue { iid iteration { id } }';
  const stranger = await newUser();
  expect(await mutate('issueSetIteration', { ...where, iterationId }, shown, stranger.token)).toBeNull();
  expect(await mutate('issueSetIteration', { ...where, iterationId }, shown)).toMatchObject({
    issue: { iid: String(iid), iteration: { id: iterationId } },
  });
  const [iteration] = await client.GroupIterations.all(groupId, { state: 'closed', search: 'THIS' });
  expect(iteration).toMatchObject({ iid: 1, group_id: groupId, state: 3, due_date: '2020-03-01' });
  const ofProject = await ask(`/api/v4/projects/${projectId}/iterations`, { token: member.token });
  expect(await ofProject.json()).toEqual([iteration]);
  expect(await client.Issues.all({ projectId, iterationTitle: 'This one' })).toMatchObject([{ iid, iteration }]);
  await mutate('issueSetIteration', where, shown);
  const [set, removed] = await client.IssueIterationEvents.all(projectId, iid);
  expect([set!.action, removed!.action, set!.iteration]).toEqual(['add', 'remove', iteration]);
  expect(await client.IssueIterationEvents.show(projectId, iid, set!.id)).toEqual(set);
  await client.IssueNotes.create(projectId, iid, '/iteration *iteration:"This one"').catch(() => undefined);
  expect(await client.Issues.show(iid, { projectId })).toMatchObject({ iteration: { id: iteration!.id } });
  expect(await mutate('iterationDelete', { id: iterationId }, 'group { fullPath }', stranger.token)).toBeNull();
  expect(await mutate('iterationDelete', { id: iterationId }, 'group { fullPath }')).toMatchObject({
    group: { fullPath: groupPath },
  });
  expect(await client.Issues.show(iid, { projectId })).toMatchObject({ iteration: null });
});

it('has milestones and states of merge requests', async () => {
  const { projectId, member } = world;
  const { client, username } = member;
  const milestone = await client.ProjectMilestones.create(projectId, 'v2');
  const file = [{ action: 'create' as const, filePath: 'stated.txt', content: 'x' }];
  await client.Commits.create(projectId, 'stated', 'Write', file, { startBranch: 'main' });
  const options = { milestoneId: milestone.id };
  const { iid } = await client.MergeRequests.create(projectId, 'stated', 'main', 'Stated', options);
  await client.MergeRequests.edit(projectId, iid, { stateEvent: 'close' });
  await client.MergeRequests.edit(projectId, iid, { stateEvent: 'reopen' });
  await client.MergeRequests.accept(projectId, iid);
  const states = await client.MergeRequestStateEvents.all(projectId, iid);
  expect(states.map(({ state }) => state)).toEqual(['closed', 'reopened', 'merged']);
  expect(await client.MergeRequestStateEvents.show(projectId, iid, states[0]!.id)).toEqual(states[0]);
  const [set] = await client.MergeRequestMilestoneEvents.all(projectId, iid);
  expect(set).toMatchObject({ action: 'add', milestone: { title: 'v2' }, user: { username } });
  expect(await client.MergeRequestMilestoneEvents.show(projectId, iid, set!.id)).toEqual(set);
});

it('has states of epics', async () => {
  const { groupId, member } = world;
  const { id, iid } = await member.client.Epics.create(groupId, 'Stated');
  await member.client.Epics.edit(groupId, iid, { stateEvent: 'close' });
  const [closed] = await member.client.EpicStateEvents.all(groupId, id);
  expect(closed).toMatchObject({ state: 'closed', resource_type: 'Epic', resource_id: id });
  expect(await member.client.EpicStateEvents.show(groupId, id, closed!.id)).toEqual(closed);
});
