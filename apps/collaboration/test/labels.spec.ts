import {
  Access,
  createGroupLabel,
  createIssue,
  createProjectLabel,
  deleteProjectLabel,
  getIssue,
  getProjectLabel,
  labelsByIds,
  listGroupLabels,
  listIssueLabelEvents,
  listProjectLabels,
  projectDeleted,
  promoteLabel,
  subscribeToProjectLabel,
  unsubscribeFromProjectLabel,
  updateIssue,
  updateProjectLabel,
} from '@moothall/contracts';
import { startService } from '@moothall/service';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { service } from '../src';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const reporter = Access.Reporter;

describe('labels of a project', () => {
  it('are created, shown with their colours, and listed by name', async () => {
    const [project, user] = [world.project(), world.user()];
    const made = await world.inProject(createProjectLabel, project, user, reporter, {
      name: 'bug',
      color: 'red',
      description: '<b>',
      priority: 3,
    });
    expect(made).toMatchObject({
      name: 'bug',
      color: '#ff0000',
      text_color: '#FFFFFF',
      description: '<b>',
      description_html: '&lt;b&gt;',
      priority: 3,
      is_project_label: true,
      subscribed: false,
    });
    await world.inProject(createProjectLabel, project, user, reporter, { name: 'a first', color: '#fff' });
    const { items, total } = await world.inProject(listProjectLabels, project, undefined, Access.None, {});
    expect(items.map(({ name }) => name)).toEqual(['a first', 'bug']);
    expect(total).toBe(2);
  });

  it('are returned by their ids, if they exist', async () => {
    const [project, user] = [world.project(), world.user()];
    const made = await world.inProject(createProjectLabel, project, user, reporter, { name: 'bug', color: 'red' });
    expect(await world.call(labelsByIds, { ids: [made.id, made.id + 1000] }, { requestId: 'test' })).toEqual([
      expect.objectContaining({
        id: made.id,
        title: 'bug',
        color: '#ff0000',
        type: 'ProjectLabel',
        project_id: project.id,
      }),
    ]);
  });

  it('refuse a used name, a comma and an invalid colour', async () => {
    const [project, user] = [world.project(), world.user()];
    const make = (name: string, color: string) =>
      world.inProject(createProjectLabel, project, user, reporter, { name, color });
    await make('bug', '#ff0000');
    await expect(make('bug', '#00ff00')).rejects.toMatchObject({ value: { code: 'label.exists' } });
    await expect(make('ugly', 'mud')).rejects.toMatchObject({
      value: { message: { color: ['must be a valid color code'] } },
    });
    await expect(make('a,b', '#fff')).rejects.toThrow(/is invalid/);
  });

  it('include those of ancestors, with a priority for each project', async () => {
    const [group, user] = [world.group(), world.user()];
    const project = world.project({ groupIds: [group.id] });
    await world.inGroup(createGroupLabel, group, user, reporter, { name: 'shared', color: '#fff' });
    const changed = await world.inProject(updateProjectLabel, project, user, reporter, { name: 'shared', priority: 1 });
    expect(changed).toMatchObject({ priority: 1, is_project_label: false });
    const other = world.project({ groupIds: [group.id] });
    const there = await world.inProject(getProjectLabel, other, user, reporter, { label_id: 'shared' });
    expect(there.priority).toBeNull();
    const inGroup = await world.inGroup(listGroupLabels, group, user, reporter, {});
    expect(inGroup.items[0]).not.toHaveProperty('priority');
  });

  // Regression: there could be any number in one document, and those of deleted projects stayed.
  it('store ten thousand priorities, and none of a deleted project', async () => {
    const [group, user] = [world.group(), world.user()];
    const [here, there] = [world.project({ groupIds: [group.id] }), world.project({ groupIds: [group.id] })];
    const { id } = await world.inGroup(createGroupLabel, group, user, reporter, { name: 'shared', color: '#fff' });
    const labels = world.service.running.app.get<Connection>(getConnectionToken()).collection('labels');
    const priorities = Array.from({ length: 9_999 }, (_, at) => ({ projectId: -1 - at, priority: 1 }));
    await labels.updateOne({ _id: id as never }, { $set: { priorities } });
    const give = (project: typeof here, priority: number | null) =>
      world.inProject(updateProjectLabel, project, user, reporter, { label_id: 'shared', priority });
    await give(here, 2);
    await expect(give(there, 2)).rejects.toThrow(/too many priorities/);
    expect(await give(here, 3)).toMatchObject({ priority: 3 });
    await world.service.emit(projectDeleted, { project_id: here.id, full_path: here.fullPath, storage: 'default' });
    await eventually(async () => !(await labels.findOne({ _id: id as never, 'priorities.projectId': here.id })));
    expect(await give(there, 4)).toMatchObject({ priority: 4 });
  });

  it('are renamed everywhere, and removed from all records when deleted', async () => {
    const [project, user] = [world.project(), world.user()];
    const issue = await world.inProject(createIssue, project, user, reporter, { title: 'One', labels: ['bug', 'ui'] });
    await world.inProject(updateProjectLabel, project, user, reporter, { label_id: 'bug', new_name: 'fault' });
    const labelsNow = async () =>
      (await world.inProject(getIssue, project, user, reporter, { issue_iid: issue.iid })).labels;
    expect(await labelsNow()).toEqual(['fault', 'ui']);
    await world.inProject(deleteProjectLabel, project, user, reporter, { label_id: 'fault' });
    expect(await labelsNow()).toEqual(['ui']);
    const events = await world.inProject(listIssueLabelEvents, project, user, reporter, { issue_iid: issue.iid });
    expect(events.items.map(({ action, label }) => [action, label?.name])).toEqual([
      ['add', undefined],
      ['add', 'ui'],
    ]);
  });

  it('are subscribed to once', async () => {
    const [project, user] = [world.project(), world.user()];
    await world.inProject(createProjectLabel, project, user, reporter, { name: 'bug', color: '#fff' });
    const label = { label_id: 'bug' };
    const first = await world.inProject(subscribeToProjectLabel, project, user, reporter, label);
    expect(first.subscribed).toBe(true);
    const asked = world.service.client.send(
      subscribeToProjectLabel,
      { id: '1', ...label },
      {
        requestId: 'test',
        caller: user,
        project,
      },
    );
    expect((await asked).meta.status).toBe(304);
    const ended = await world.inProject(unsubscribeFromProjectLabel, project, user, reporter, label);
    expect(ended.subscribed).toBe(false);
  });

  it('become one label of the group, with all of the name below it', async () => {
    const [group, user] = [world.group(), world.user()];
    const [here, there] = [world.project({ groupIds: [group.id] }), world.project({ groupIds: [group.id] })];
    const [one, two] = await Promise.all(
      [here, there].map((project) =>
        world.inProject(createIssue, project, user, reporter, { title: 'One', labels: ['bug'] }),
      ),
    );
    world.join(user, group, Access.Guest);
    const promote = () => world.inProject(promoteLabel, here, user, reporter, { label_id: 'bug' });
    await expect(promote()).rejects.toMatchObject({ value: { code: 'common.forbidden' } });
    world.join(user, group, reporter);
    const promoted = await promote();
    expect(promoted).toMatchObject({ name: 'bug', is_project_label: false });
    for (const [project, issue] of [
      [here, one!],
      [there, two!],
    ] as const) {
      const seen = await world.inProject(getIssue, project, user, reporter, { issue_iid: issue.iid });
      expect(seen.labels).toEqual(['bug']);
      const { items } = await world.inProject(listProjectLabels, project, user, reporter, {});
      expect(items.map(({ id }) => id)).toEqual([promoted.id]);
    }
  });
});

// Replicas take ids in blocks of their own, so events are listed by time.
it('lists label events in their order, whichever replica wrote them', async () => {
  const replica = await startService(service, world.service.env);
  const [project, user] = [world.project(), world.user()];
  const { iid } = await world.inProject(createIssue, project, user, reporter, { title: 'One' });
  const wanted = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? 'add' : 'remove'));
  for (const action of wanted) {
    const change = action === 'add' ? { add_labels: ['bug'] } : { remove_labels: ['bug'] };
    await world.inProject(updateIssue, project, user, reporter, { issue_iid: iid, ...change });
  }
  const changes = async () => {
    const { items } = await world.inProject(listIssueLabelEvents, project, user, reporter, { issue_iid: iid });
    return items.map(({ action }) => action);
  };
  // If a change failed but was stored, the periodic job publishes it.
  await eventually(async () => (await changes()).length === wanted.length, 'all of them');
  await replica.stop();
  expect(await changes()).toEqual(wanted);
});
