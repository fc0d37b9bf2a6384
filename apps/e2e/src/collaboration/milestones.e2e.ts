import { newUser, root } from '../server/connection';
import { newWorld, type World } from './world';

/* Milestones of projects and groups, by a v4 client. */

type Milestones = World['member']['client']['GroupMilestones'];

let world: World;

beforeAll(async () => {
  world = await newWorld();
  await root.GroupMembers.add(world.groupId, 40, { userId: world.member.id });
});

const kinds: Record<string, (world: World) => [number, Milestones]> = {
  project: ({ projectId, member }) => [projectId, member.client.ProjectMilestones],
  group: ({ groupId, member }) => [groupId, member.client.GroupMilestones],
};

describe.each(Object.keys(kinds))('milestones of a %s', (kind) => {
  it('are created, read, listed, changed and deleted', async () => {
    const [parent, milestones] = kinds[kind]!(world);
    const dates = { startDate: '2030-01-01', dueDate: '2030-01-31' };
    const made = await milestones.create(parent, `Soon in ${kind}`, { description: 'Do it', ...dates });
    expect(made).toMatchObject({
      [`${kind}_id`]: parent,
      description: 'Do it',
      start_date: '2030-01-01',
      due_date: '2030-01-31',
      state: 'active',
      expired: false,
    });
    expect(await milestones.show(parent, made.id)).toEqual(made);
    const closed = await milestones.edit(parent, made.id, { stateEvent: 'close', title: `Done in ${kind}` });
    expect(closed).toMatchObject({ state: 'closed', title: `Done in ${kind}` });
    const ids = async (options: object) => (await milestones.all(parent, options)).map(({ id }) => id);
    expect(await ids({ state: 'closed', search: 'done' })).toEqual([made.id]);
    expect(await ids({ state: 'active' })).toEqual([]);
    expect(await ids({ iids: [made.iid] })).toEqual([made.id]);
    await milestones.edit(parent, made.id, { stateEvent: 'activate' });
    expect(await ids({ title: `Done in ${kind}`, state: 'active' })).toEqual([made.id]);
    await milestones.remove(parent, made.id);
    await expect(milestones.show(parent, made.id)).rejects.toThrow(/404/);
  });

  it('have issues and merge requests, and burndown events', async () => {
    const [parent, milestones] = kinds[kind]!(world);
    const { projectId, member } = world;
    const { Issues, MergeRequests, Commits } = member.client;
    const { id } = await milestones.create(parent, `Full in ${kind}`);
    const { iid } = await Issues.create(projectId, 'In it', { milestoneId: id, weight: 5 });
    await Issues.edit(projectId, iid, { stateEvent: 'close' });
    await Issues.edit(projectId, iid, { stateEvent: 'reopen' });
    const file = [{ action: 'create' as const, filePath: `${kind}.txt`, content: 'x' }];
    await Commits.create(projectId, kind, 'Write', file, { startBranch: 'main' });
    const mergeRequest = await MergeRequests.create(projectId, kind, 'main', 'In it', { milestoneId: id });
    expect(await milestones.allAssignedIssues(parent, id)).toMatchObject([{ iid, milestone: { id } }]);
    expect(await milestones.allAssignedMergeRequests(parent, id)).toMatchObject([{ iid: mergeRequest.iid }]);
    const burned = await milestones.allBurndownChartEvents(parent, id);
    expect(burned).toMatchObject([
      { action: 'created', weight: 5 },
      { action: 'closed', weight: 5 },
      { action: 'reopened', weight: 5 },
    ]);
  });

  it('are for developers to write', async () => {
    const [parent] = kinds[kind]!(world);
    const [, milestones] = kinds[kind]!({ ...world, member: await newUser('stranger') });
    await expect(milestones.create(parent, 'Not mine')).rejects.toThrow(/403/);
    expect(await milestones.all(parent)).not.toEqual([]);
  });
});

it('are promoted to the group', async () => {
  const { projectId, groupId, member } = world;
  const { ProjectMilestones, GroupMilestones, Issues } = member.client;
  const { id } = await ProjectMilestones.create(projectId, 'Promoted', { dueDate: '2030-02-28' });
  const { iid } = await Issues.create(projectId, 'Follows', { milestoneId: id });
  await ProjectMilestones.promote(projectId, id);
  const [ofGroup] = await GroupMilestones.all(groupId, { title: 'Promoted' });
  expect(ofGroup).toMatchObject({ group_id: groupId, due_date: '2030-02-28' });
  expect(await Issues.show(iid, { projectId })).toMatchObject({ milestone: { id: ofGroup!.id, group_id: groupId } });
  await expect(ProjectMilestones.show(projectId, id)).rejects.toThrow(/404/);
});
