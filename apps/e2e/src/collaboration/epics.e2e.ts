import { ask, root, uniqueName } from '../server/connection';
import { newWorld } from './world';

/* Epics of a group, and its recent activity, by a v4 client. */

it('are created, read, listed, changed, filled with issues, and deleted', async () => {
  const { groupId, projectId, member } = await newWorld();
  await root.GroupMembers.add(groupId, 40, { userId: member.id });
  const { Epics, EpicIssues, Issues } = member.client;
  const made = await Epics.create(groupId, 'Large', { labels: 'theme', description: 'Much to do' });
  expect(made).toMatchObject({ group_id: groupId, title: 'Large', state: 'opened', labels: ['theme'] });
  expect(await Epics.show(groupId, made.iid)).toMatchObject({ id: made.id, description: 'Much to do' });
  const issue = await Issues.create(projectId, 'A part');
  const link = await EpicIssues.assign(groupId, made.iid, issue.id);
  expect(link).toMatchObject({ epic: { id: made.id }, issue: { id: issue.id } });
  expect(await EpicIssues.all(groupId, made.iid)).toMatchObject([{ id: issue.id, epic_issue_id: link.id }]);
  expect(await Issues.show(issue.iid, { projectId })).toMatchObject({ epic: { id: made.id, iid: made.iid } });
  await EpicIssues.remove(groupId, made.iid, link.id);
  expect(await EpicIssues.all(groupId, made.iid)).toEqual([]);
  expect(await Epics.edit(groupId, made.iid, { stateEvent: 'close' })).toMatchObject({ state: 'closed' });
  expect(await Epics.all(groupId, { state: 'opened' })).toEqual([]);
  expect(await Epics.all(groupId, { labels: 'theme' })).toMatchObject([{ id: made.id }]);
  await root.Epics.remove(groupId, made.iid);
  await expect(Epics.show(groupId, made.iid)).rejects.toThrow(/404/);
});

it('of the last 90 days are counted for a group', async () => {
  const { groupId, projectId, member } = await newWorld();
  await member.client.Issues.create(projectId, 'Counted');
  const file = [{ action: 'create' as const, filePath: 'counted.txt', content: 'x' }];
  await member.client.Commits.create(projectId, 'counted', 'Write', file, { startBranch: 'main' });
  await member.client.MergeRequests.create(projectId, 'counted', 'main', 'Counted');
  await root.GroupMembers.add(groupId, 20, { userId: member.id });
  const { full_path } = await root.Groups.show(groupId);
  // Without the client, which sends the path with another name.
  const count = async (of: string) => {
    const path = `/api/v4/analytics/group_activity/${of}?group_path=${encodeURIComponent(full_path)}`;
    return (await ask(path, { token: member.token })).json();
  };
  expect(await count('issues_count')).toEqual({ issues_count: 1 });
  expect(await count('merge_requests_count')).toEqual({ merge_requests_count: 1 });
  // The owner counts, too.
  expect(await count('new_members_count')).toEqual({ new_members_count: 2 });
});

it('are linked', async () => {
  const { groupId, member } = await newWorld();
  await root.GroupMembers.add(groupId, 40, { userId: member.id });
  const { LinkedEpics, Epics } = member.client;
  const [one, other] = [await Epics.create(groupId, 'One'), await Epics.create(groupId, 'Other')];
  const link = await LinkedEpics.create(groupId, one.iid, other.iid, groupId, { linkType: 'blocks' });
  expect(link).toMatchObject({ source_epic: { id: one.id }, target_epic: { id: other.id } });
  await expect(LinkedEpics.create(groupId, other.iid, one.iid, groupId)).rejects.toThrow(/already assigned|Conflict/);
  const [related] = await LinkedEpics.all(groupId, other.iid);
  expect(related).toMatchObject({ id: one.id, link_type: 'is_blocked_by' });
  await LinkedEpics.remove(groupId, other.iid, related!.related_epic_link_id);
  expect(await LinkedEpics.all(groupId, one.iid)).toEqual([]);
});

it('EpicLinks: epics are below epics, in an order', async () => {
  const name = uniqueName('planned');
  const { id: groupId } = await root.Groups.create(name, name);
  const { Epics, EpicLinks } = root;
  const top = await Epics.create(groupId, 'Top');
  const first = await EpicLinks.create(groupId, top.iid, 'First');
  expect(first).toMatchObject({ title: 'First', parent_id: top.id, has_children: false, has_issues: false });
  const second = await Epics.create(groupId, 'Second');
  expect(await EpicLinks.assign(groupId, top.iid, second.id)).toMatchObject({ id: second.id, parent_id: top.id });
  await expect(EpicLinks.assign(groupId, first.iid as number, top.id)).rejects.toThrow('already an ancestor');
  const titles = async () => (await EpicLinks.all(groupId, top.iid)).map(({ title }) => title);
  expect(await titles()).toEqual(['First', 'Second']);
  await EpicLinks.reorder(groupId, top.iid, second.id, { moveBeforeId: first.id as number });
  expect(await titles()).toEqual(['Second', 'First']);
  expect(await EpicLinks.unassign(groupId, top.iid, second.id)).toMatchObject({ parent_id: null });
  expect(await titles()).toEqual(['First']);
  expect(await Epics.show(groupId, first.iid as number)).toMatchObject({ parent_id: top.id, parent_iid: top.iid });
});
