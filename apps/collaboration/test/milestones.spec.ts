import {
  Access,
  createGroupMilestone,
  createIssue,
  createProjectMilestone,
  deleteProjectMilestone,
  getGroupMilestone,
  getIssue,
  getProjectMilestone,
  listGroupMilestoneIssues,
  listProjectBurndownEvents,
  listProjectIssues,
  listProjectMilestoneIssues,
  listProjectMilestones,
  milestoneChanged,
  mostBurndownIssues,
  namedMilestones,
  type ProjectRef,
  promoteMilestone,
  readProjectBurndown,
  updateIssue,
  updateProjectMilestone,
} from '@moothall/contracts';
import { eventually, itWithoutFaults, shareBetweenTests } from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { None, Reporter, Developer } = Access;
const user = () => world.user();
const make = (project: ProjectRef, title: string, input: object = {}) =>
  world.inProject(createProjectMilestone, project, user(), Developer, { title, ...input });

describe('milestones of a project', () => {
  it('are found by title, of which the nearest counts, and by id', async () => {
    const project = world.project();
    const made = await make(project, 'own');
    await make(world.project(), 'of another');
    const ask = (given: object) => world.inProject(namedMilestones, project, user(), Developer, given);
    expect(await ask({ titles: ['own', 'of another', 'none'] })).toEqual([made]);
    expect(await ask({ ids: [made.id, made.id + 1] })).toEqual([made]);
    expect(await ask({})).toEqual([]);
  });

  it('are created and changed without duplicate titles under concurrent requests', async () => {
    const project = world.project();
    // Unknown to the stub of projects, which would answer with nothing.
    world.projects.delete(project.id);
    const web_url = `http://moothall.test/${project.fullPath}/-/milestones/1`;
    const made = await make(project, 'alone');
    expect(made).toMatchObject({ web_url });
    const change = { milestone_id: made.id, description: 'changed' };
    expect(await world.inProject(updateProjectMilestone, project, user(), Developer, change)).toMatchObject({
      web_url,
    });
  });

  it('are created, shown and listed, next due first', async () => {
    const project = world.project();
    const made = await make(project, ' v1 ', {
      description: 'First',
      due_date: '2020-10-15',
      start_date: '2020-10-01',
    });
    expect(made).toMatchObject({
      iid: 1,
      project_id: project.id,
      title: 'v1',
      state: 'active',
      due_date: '2020-10-15',
      start_date: '2020-10-01',
      expired: true,
      web_url: `http://moothall.test/${project.fullPath}/-/milestones/1`,
    });
    expect(made).not.toHaveProperty('group_id');
    await make(project, 'someday');
    await make(project, 'v0', { due_date: '2020/1/5' });
    const list = async (input: object = {}) =>
      (await world.inProject(listProjectMilestones, project, undefined, None, input)).items.map(({ title }) => title);
    expect(await list()).toEqual(['v0', 'v1', 'someday']);
    expect(await list({ search: 'FIRST' })).toEqual(['v1']);
    expect(await list({ title: 'v0' })).toEqual(['v0']);
    expect(await list({ iids: [2, 3] })).toEqual(['v0', 'someday']);
    expect(await list({ state: 'closed' })).toEqual([]);
  });

  itWithoutFaults('are closed and opened again, and lose their dates', async () => {
    const project = world.project();
    const { id } = await make(project, 'v1', { due_date: '2020-10-15' });
    const change = (input: object) =>
      world.inProject(updateProjectMilestone, project, user(), Developer, { milestone_id: id, ...input });
    expect((await change({ state_event: 'close' })).state).toBe('closed');
    expect((await change({ state_event: 'close' })).state).toBe('closed');
    expect((await change({ state_event: 'activate' })).state).toBe('active');
    expect(await change({ due_date: null })).toMatchObject({ due_date: null, expired: false });
    const published = () => world.service.events(milestoneChanged).filter(({ data }) => data.milestone.id === id);
    await eventually(() => published().length === 5);
    expect(published().map(({ data }) => data.action)).toEqual(['create', 'close', 'update', 'reopen', 'update']);
    expect(published()[0]!.data.milestone).toMatchObject({ project_id: project.id, group_id: null, title: 'v1' });
  });

  it('refuse days that do not exist, an end before the start, and a title in use', async () => {
    const group = world.group();
    const project = world.project({ groupIds: [group.id] });
    const parse = (due_date: string) =>
      createProjectMilestone.input.safeParse({ id: '1', title: 'v', due_date }).success;
    expect(['2020-02-30', 'soon', '2020-13-01'].map(parse)).toEqual([false, false, false]);
    expect(['2020-02-29', 'Oct 15 2020', '2020-10-15T10:00:00Z'].map(parse)).toEqual([true, true, true]);
    // Regression: years with five digits were stored, and text after a date was ignored.
    const none = ['99999-01-01', '+099999-01', '2020-10-15junk', 'Feb 30, 2021', 'Foo 1 2020', '0000-01-01'];
    expect(none.filter(parse)).toEqual([]);
    const made = await make(project, 'v1', { due_date: '2020-10-15' });
    await expect(make(project, 'v2', { start_date: '2020-10-16', due_date: '2020-10-15' })).rejects.toMatchObject({
      value: { message: { due_date: ['must be greater than start date'] } },
    });
    await expect(
      world.inProject(updateProjectMilestone, project, user(), Developer, {
        milestone_id: made.id,
        start_date: '2020-10-16',
      }),
    ).rejects.toMatchObject({ value: { code: 'common.invalid_record' } });
    await expect(make(project, 'v1')).rejects.toMatchObject({ value: { code: 'milestone.title_taken' } });
    await world.inGroup(createGroupMilestone, group, user(), Developer, { title: 'shared' });
    await expect(make(project, 'shared')).rejects.toMatchObject({ value: { code: 'milestone.title_taken' } });
  });

  it('with equal titles: one of them is chosen', async () => {
    const project = world.project();
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => make(project, 'v1')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('contain issues, by urgency, until they are deleted', async () => {
    const project = world.project({ visibility: 'public' });
    const author = user();
    const { id: milestone_id } = await make(project, 'v1', { due_date: '2030-01-01' });
    const input = { milestone_id, labels: ['bug'] };
    const issue = await world.inProject(createIssue, project, author, Reporter, { title: 'One', ...input });
    expect(issue.milestone).toMatchObject({ id: milestone_id, title: 'v1' });
    await world.inProject(createIssue, project, author, Reporter, { title: 'Two', ...input, confidential: true });
    const seen = async (level: typeof None | typeof Reporter) =>
      (await world.inProject(listProjectMilestoneIssues, project, user(), level, { milestone_id })).items.map(
        ({ title }) => title,
      );
    expect(await seen(Reporter)).toEqual(['Two', 'One']);
    expect(await seen(None)).toEqual(['One']);
    const found = async (milestone: string) =>
      (await world.inProject(listProjectIssues, project, author, Reporter, { milestone })).total;
    expect([
      await found('v1'),
      await found('Any'),
      await found('None'),
      await found('#upcoming'),
      await found('v2'),
    ]).toEqual([2, 2, 0, 2, 0]);
    await world.inProject(deleteProjectMilestone, project, author, Developer, { milestone_id });
    const after = await world.inProject(getIssue, project, author, Reporter, { issue_iid: issue.iid });
    expect(after.milestone).toBeNull();
    await expect(
      world.inProject(getProjectMilestone, project, author, Developer, { milestone_id }),
    ).rejects.toMatchObject({ value: { code: 'common.not_found' } });
  });

  it('show when their issues were added, closed and reopened', async () => {
    const project = world.project();
    const author = user();
    const { id: milestone_id } = await make(project, 'v1');
    const input = { title: 'One', milestone_id, weight: 2 };
    const { iid } = await world.inProject(createIssue, project, author, Reporter, input);
    for (const state_event of ['close', 'reopen', 'close'] as const) {
      await world.inProject(updateIssue, project, author, Reporter, { issue_iid: iid, state_event });
    }
    const { items } = await world.inProject(listProjectBurndownEvents, project, author, Reporter, { milestone_id });
    expect(items.map(({ action, weight }) => [action, weight])).toEqual([
      ['created', 2],
      ['closed', 2],
      ['reopened', 2],
      ['closed', 2],
    ]);
    const second = { milestone_id, page: 2, per_page: 3 };
    expect(await world.inProject(listProjectBurndownEvents, project, author, Reporter, second)).toMatchObject({
      items: [{ action: 'closed' }],
      total: 4,
    });
    const burndown = () => world.inProject(readProjectBurndown, project, author, Reporter, { milestone_id });
    expect((await burndown())?.at(-1)).toEqual({ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), open: 0 });
    const due = { milestone_id, due_date: '2020-01-01' };
    await world.inProject(updateProjectMilestone, project, author, Developer, due);
    const before = await world.inProject(listProjectBurndownEvents, project, author, Reporter, { milestone_id });
    expect(before).toMatchObject({ items: [], total: 0 });
    expect(await burndown()).toEqual([]);
  });

  it('have no burndown of very many issues', async () => {
    const project = world.project();
    const { id: milestone_id } = await make(project, 'v1');
    const { id } = await world.inProject(createIssue, project, user(), Reporter, { title: 'One', milestone_id });
    const issues = world.service.running.app.get<Connection>(getConnectionToken()).collection('issues');
    const { _id, ...issue } = (await issues.findOne({ _id: id as never }))!;
    const copies = Array.from({ length: mostBurndownIssues }, (_, at) => ({ ...issue, _id: -id - at, iid: -at }));
    await issues.insertMany(copies as never);
    const burndown = () => world.inProject(readProjectBurndown, project, user(), Reporter, { milestone_id });
    expect(await burndown()).toBeNull();
    await issues.deleteOne({ _id: -id as never });
    expect(await burndown()).toMatchObject([{ open: mostBurndownIssues }]);
  });

  it('are promoted to the group, with all of the same title below it', async () => {
    const group = world.group();
    const [here, there] = [world.project({ groupIds: [group.id] }), world.project({ groupIds: [group.id] })];
    const author = user();
    world.join(author, here, Reporter);
    world.join(author, there, Reporter);
    const [one, two] = [await make(here, 'v1', { due_date: '2020-10-15' }), await make(there, 'v1')];
    const issues = await Promise.all(
      [one, two].map(({ id }, at) =>
        world.inProject(createIssue, [here, there][at]!, author, Reporter, { title: 'An issue', milestone_id: id }),
      ),
    );
    const promote = () => world.inProject(promoteMilestone, here, author, Developer, { milestone_id: one.id });
    await expect(promote()).rejects.toMatchObject({ value: { code: 'common.forbidden' } });
    world.join(author, group, Developer);
    const promoted = await promote();
    expect(promoted).toMatchObject({ group_id: group.id, title: 'v1', due_date: '2020-10-15' });
    expect(promoted).not.toHaveProperty('project_id');
    const inGroup = await world.inGroup(getGroupMilestone, group, author, Reporter, { milestone_id: promoted.id });
    expect(inGroup).toEqual(promoted);
    const { items } = await world.inGroup(listGroupMilestoneIssues, group, author, Reporter, {
      milestone_id: promoted.id,
    });
    expect(items.map(({ id }) => id).sort()).toEqual(issues.map(({ id }) => id).sort());
    expect((await world.inProject(listProjectMilestones, there, author, Reporter, {})).total).toBe(0);
  });

  it('cannot be promoted if there is no group', async () => {
    const project = world.project();
    const { id: milestone_id } = await make(project, 'v1');
    await expect(world.inProject(promoteMilestone, project, user(), Developer, { milestone_id })).rejects.toMatchObject(
      { value: { code: 'milestone.no_group' } },
    );
  });
});
