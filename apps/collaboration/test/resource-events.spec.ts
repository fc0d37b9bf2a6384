import {
  Access,
  createEpic,
  createIssue,
  createProjectMilestone,
  deleteIssue,
  deleteProjectMilestone,
  getIssueStateEvent,
  listEpicStateEvents,
  listIssueMilestoneEvents,
  listIssueStateEvents,
  listIssueWeightEvents,
  type ProjectRef,
  promoteMilestone,
  updateEpic,
  updateIssue,
  userDeleted,
} from '@moothall/contracts';
import { databaseFaults, eventually, FailPoint, itWithoutFaults, shareBetweenTests } from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { None, Guest, Reporter, Developer, Owner } = Access;
type User = ReturnType<CollaborationUnderTest['user']>;

const milestoneOf = (project: ProjectRef, title: string) =>
  world.inProject(createProjectMilestone, project, world.user(), Developer, { title });

/** An issue, with its resource events. */
async function issueOf(project: ProjectRef, user: User, input: object = {}) {
  const issue = await world.inProject(createIssue, project, user, Reporter, { title: 'One', ...input });
  const on = { issue_iid: issue.iid };
  return {
    issue,
    on,
    change: (patch: object) => world.inProject(updateIssue, project, user, Reporter, { ...on, ...patch }),
    milestones: async () => (await world.inProject(listIssueMilestoneEvents, project, user, Reporter, on)).items,
    states: async () => (await world.inProject(listIssueStateEvents, project, user, Reporter, on)).items,
    weights: async () => (await world.inProject(listIssueWeightEvents, project, user, Reporter, on)).items,
  };
}

describe('events of an issue', () => {
  it('have user and value of each milestone, weight and state', async () => {
    const [project, user] = [world.project(), world.user()];
    const [first, second] = [await milestoneOf(project, 'v1'), await milestoneOf(project, 'v2')];
    const { issue, change, ...values } = await issueOf(project, user, { milestone_id: first.id, weight: 3 });
    await change({ milestone_id: second.id, weight: 3 });
    await change({ milestone_id: null, weight: null, state_event: 'close' });
    await change({ state_event: 'reopen' });
    await change({ title: 'Another', state_event: 'reopen' });
    const of = { user: expect.objectContaining({ id: user.id }), created_at: expect.any(String) };
    const record = { ...of, id: expect.any(Number), resource_type: 'Issue', resource_id: issue.id };
    expect(await values.milestones()).toEqual([
      { ...record, action: 'add', milestone: first },
      { ...record, action: 'add', milestone: second },
      { ...record, action: 'remove', milestone: second },
    ]);
    expect(await values.states()).toEqual([
      { ...record, state: 'closed' },
      { ...record, state: 'reopened' },
    ]);
    expect(await values.weights()).toEqual([
      { ...of, id: expect.any(Number), issue_id: issue.id, weight: 3 },
      { ...of, id: expect.any(Number), issue_id: issue.id, weight: null },
    ]);
  });

  it('are shown one by one, and of no other issue', async () => {
    const [project, user] = [world.project(), world.user()];
    const { change, states, on } = await issueOf(project, user);
    const other = await issueOf(project, user);
    await change({ state_event: 'close' });
    const [event] = await states();
    const ask = (issue_iid: number, resource_state_event_id: number) =>
      world.inProject(getIssueStateEvent, project, user, Reporter, { issue_iid, resource_state_event_id });
    expect(await ask(on.issue_iid, event!.id)).toEqual(event);
    for (const [iid, id] of [
      [other.on.issue_iid, event!.id],
      [on.issue_iid, event!.id + 1_000_000],
    ] as const)
      await expect(ask(iid, id)).rejects.toMatchObject({ value: { code: 'common.not_found' } });
  });

  it('are hidden from users who may not see the issue', async () => {
    const [project, user] = [world.project({ visibility: 'public' }), world.user()];
    const { on } = await issueOf(project, user, { confidential: true });
    for (const list of [listIssueMilestoneEvents, listIssueStateEvents, listIssueWeightEvents])
      await expect(world.inProject(list, project, world.user(), None, on)).rejects.toMatchObject({
        value: { code: 'issue.not_found' },
      });
  });

  it('are as many as the concurrent changes', async () => {
    const [project, user] = [world.project(), world.user()];
    const { change, states, weights } = await issueOf(project, user);
    await Promise.all(Array.from({ length: 8 }, (_, weight) => change({ weight, state_event: 'close' })));
    expect((await weights()).map(({ weight }) => weight).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await states()).toHaveLength(1);
  });

  it('lose the milestone that is deleted, and follow one that is promoted', async () => {
    const group = world.group();
    const project = world.project({ groupIds: [group.id] });
    const user = world.user();
    world.join(user, group, Owner);
    const [gone, kept] = [await milestoneOf(project, 'gone'), await milestoneOf(project, 'kept')];
    const { change, milestones } = await issueOf(project, user, { milestone_id: gone.id });
    await change({ milestone_id: kept.id });
    await world.inProject(deleteProjectMilestone, project, user, Owner, { milestone_id: gone.id });
    await world.inProject(promoteMilestone, project, user, Owner, { milestone_id: kept.id });
    await eventually(async () => (await milestones())[1]?.milestone?.group_id === group.id);
    expect(await milestones()).toMatchObject([
      { action: 'add', milestone: null },
      { action: 'add', milestone: { title: 'kept', group_id: group.id } },
    ]);
  });

  it('are assigned to the ghost user with their user, and deleted with the issue', async () => {
    const [project, user, ghost] = [world.project(), world.user(), world.user()];
    const { issue, change, states, on } = await issueOf(project, user);
    await change({ state_event: 'close' });
    await world.service.emit(userDeleted, {
      user_id: user.id,
      username: user.username,
      hard_delete: false,
      ghost_user_id: ghost.id,
    });
    await eventually(async () => (await states())[0]?.user?.id === ghost.id);
    await world.inProject(deleteIssue, project, user, Owner, on);
    const connection = world.service.running.app.get<Connection>(getConnectionToken());
    const left = () => connection.collection('state_events').countDocuments({ resourceId: issue.id });
    await eventually(async () => (await left()) === 0);
  });
});

it('the state of an epic is listed by the id of the epic', async () => {
  const [group, user] = [world.group(), world.user()];
  const { id, iid } = await world.inGroup(createEpic, group, user, Reporter, { title: 'Big' });
  await world.inGroup(updateEpic, group, user, Reporter, { epic_iid: iid, state_event: 'close' });
  const { items } = await world.inGroup(listEpicStateEvents, group, user, Guest, { epic_id: id });
  expect(items).toMatchObject([{ resource_type: 'Epic', resource_id: id, state: 'closed', user: { id: user.id } }]);
});

// An acknowledged change has exactly one event, whatever database command fails.
itWithoutFaults('no event is lost or duplicated if the database fails once at each write', async () => {
  const [project, user] = [world.project(), world.user()];
  const { change, weights } = await issueOf(project, user);
  const point = await FailPoint.open(world.service.env.MONGODB_URI!);
  const fault = Object.keys(databaseFaults)[0] as keyof typeof databaseFaults;
  const acknowledged: number[] = [];
  let isMet = true;
  for (let weight = 1; isMet; weight++) {
    await point.set(fault, weight - 1);
    const isTold = await change({ weight }).then(
      () => true,
      () => false,
    );
    isMet = await point.clear();
    if (isTold) acknowledged.push(weight);
  }
  await point.close();
  await eventually(async () => {
    const values = (await weights()).map(({ weight }) => weight);
    return new Set(values).size === values.length && acknowledged.every((weight) => values.includes(weight));
  });
});
