import { newUser, root } from '../server/connection';
import { until } from '../server/until';
import { newWorld, type World } from './world';

/* Issues and their statistics, by a v4 client. */

let world: World;

beforeAll(async () => {
  world = await newWorld();
});

const issues = () => world.member.client.Issues;

it('are opened, read, changed and removed', async () => {
  const { projectId, member } = world;
  const made = await issues().create(projectId, 'It breaks', {
    description: '- [x] seen\n- [ ] mended',
    labels: 'bug,urgent',
    assigneeId: member.id,
    dueDate: '2030-01-31',
    weight: 3,
  });
  expect(made).toMatchObject({
    project_id: projectId,
    title: 'It breaks',
    state: 'opened',
    labels: ['bug', 'urgent'],
    assignees: [{ username: member.username }],
    author: { username: member.username },
    due_date: '2030-01-31',
    weight: 3,
    task_completion_status: { count: 2, completed_count: 1 },
    references: { short: `#${made.iid}`, relative: `#${made.iid}` },
  });
  expect(await issues().show(made.iid, { projectId })).toMatchObject({ id: made.id, title: 'It breaks' });
  expect(await root.Issues.show(made.id)).toMatchObject({ id: made.id, iid: made.iid });
  const options = { stateEvent: 'close', addLabels: 'mended', removeLabels: 'urgent', title: 'It broke' } as const;
  expect(await issues().edit(projectId, made.iid, options)).toMatchObject({
    title: 'It broke',
    state: 'closed',
    closed_by: { username: member.username },
    labels: ['bug', 'mended'],
  });
  expect(await root.Issues.showUserAgentDetails(projectId, made.iid)).toMatchObject({ akismet_submitted: false });
  await root.Issues.remove(projectId, made.iid);
  await expect(issues().show(made.iid, { projectId })).rejects.toThrow(/404 Issue Not Found/);
});

it('are listed and counted by the same filters', async () => {
  const { groupId, projectId, member } = await newWorld();
  const { Issues, IssuesStatistics } = member.client;
  const open = await Issues.create(projectId, 'Open one', { labels: 'wanted' });
  const closed = await Issues.create(projectId, 'Closed one', { labels: 'wanted', assigneeId: member.id });
  await Issues.edit(projectId, closed.iid, { stateEvent: 'close' });
  await Issues.create(projectId, 'Other', { confidential: true });
  const iidsBy = async (filter: object) => (await Issues.all({ projectId, ...filter })).map(({ iid }) => iid);
  expect(await iidsBy({ labels: 'wanted', sort: 'asc' })).toEqual([open.iid, closed.iid]);
  expect(await iidsBy({ state: 'closed' })).toEqual([closed.iid]);
  expect(await iidsBy({ search: 'open', in: 'title' })).toEqual([open.iid]);
  expect(await iidsBy({ iids: [open.iid, 9_999] })).toEqual([open.iid]);
  expect(await iidsBy({ assigneeId: 'None', not: { labels: 'wanted' } })).toHaveLength(1);
  expect((await Issues.all({ groupId, labels: 'wanted' })).map(({ id }) => id)).toEqual([closed.id, open.id]);
  const detailed = await Issues.all({ projectId, labels: 'wanted', withLabelsDetails: true });
  expect(detailed[0]!.labels).toMatchObject([{ name: 'wanted', color: expect.stringMatching(/^#/) }]);
  const counts = async (filter: object) => (await IssuesStatistics.all(filter)).statistics.counts;
  expect(await counts({ projectId })).toEqual({ all: 3, closed: 1, opened: 2 });
  expect(await counts({ groupId, labels: 'wanted' })).toEqual({ all: 2, closed: 1, opened: 1 });
  expect(await counts({ projectId, confidential: true })).toEqual({ all: 1, closed: 0, opened: 1 });
  expect(await counts({ scope: 'assigned_to_me' })).toEqual({ all: 1, closed: 1, opened: 0 });
  expect(await counts({})).toEqual({ all: 3, closed: 1, opened: 2 });
});

it('are hidden from users without access if confidential, also in lists and counts', async () => {
  const { projectId, member } = await newWorld();
  const { iid } = await member.client.Issues.create(projectId, 'Between us', { confidential: true });
  const { client } = await newUser('stranger');
  await expect(client.Issues.show(iid, { projectId })).rejects.toThrow(/404/);
  expect(await client.Issues.all({ projectId })).toEqual([]);
  expect(await client.IssuesStatistics.all({ projectId })).toEqual({
    statistics: { counts: { all: 0, closed: 0, opened: 0 } },
  });
});

it('have subscriptions and time tracking', async () => {
  const { projectId, member } = world;
  const { iid } = await issues().create(projectId, 'Followed');
  const follower = await newUser('follower');
  expect(await follower.client.Issues.subscribe(projectId, iid)).toMatchObject({ iid, subscribed: true });
  expect(await follower.client.Issues.unsubscribe(projectId, iid)).toMatchObject({ subscribed: false });
  await follower.client.IssueNotes.create(projectId, iid, 'Me too');
  const participants = await issues().allParticipants(projectId, iid);
  expect(participants.map(({ username }) => username).sort()).toEqual([follower.username, member.username].sort());
  expect(await issues().addTimeEstimate(projectId, iid, '1d')).toMatchObject({ human_time_estimate: '1d' });
  expect(await issues().addSpentTime(projectId, iid, '90m')).toMatchObject({ total_time_spent: 5400 });
  expect(await issues().showTimeStats(projectId, iid)).toEqual({
    time_estimate: 28_800,
    total_time_spent: 5400,
    human_time_estimate: '1d',
    human_total_time_spent: '1h 30m',
  });
  expect(await issues().resetTimeEstimate(projectId, iid)).toMatchObject({ time_estimate: 0 });
  expect(await issues().resetSpentTime(projectId, iid)).toMatchObject({ total_time_spent: 0 });
});

it('list the merge requests that close them', async () => {
  const { projectId } = world;
  const { iid } = await issues().create(projectId, 'To be closed');
  const file = [{ action: 'create' as const, filePath: 'closing.txt', content: 'x' }];
  await world.member.client.Commits.create(projectId, 'closing', 'Write', file, { startBranch: 'main' });
  const description = `Closes #${iid}`;
  const { MergeRequests } = world.member.client;
  const closing = await MergeRequests.create(projectId, 'closing', 'main', 'Closing', { description });
  const named = await until('the merge request that closes it', async () => {
    const [first, ...others] = await issues().allClosedByMergeRequestst(projectId, iid);
    return first && [first, ...others];
  });
  expect(named).toMatchObject([{ iid: closing.iid }]);
  expect(await issues().allRelatedMergeRequests(projectId, iid)).toMatchObject([{ iid: closing.iid }]);
  expect(await MergeRequests.allIssuesClosed(projectId, closing.iid)).toMatchObject([{ iid }]);
  await MergeRequests.merge(projectId, closing.iid);
  await until('the closing', async () => (await issues().show(iid, { projectId })).state === 'closed');
});
