import { newWorld } from '../collaboration/world';
import { ask, newUser, root } from '../server/connection';
import { until } from '../server/until';

/* The activity feed and to-do items, by a v4 client. */

it('lists actions in a project with their authors, for callers who may see them', async () => {
  const { projectId, member } = await newWorld();
  const { client } = member;
  const issue = await client.Issues.create(projectId, 'The crane swings');
  await client.IssueNotes.create(projectId, issue.iid, 'Slower!');
  const file = [{ action: 'create' as const, filePath: 'crane.txt', content: 'x' }];
  const commit = await client.Commits.create(projectId, 'slow', 'Slow it down', file, { startBranch: 'main' });
  const request = await client.MergeRequests.create(projectId, 'slow', 'main', 'Slow it down');
  await client.MergeRequests.edit(projectId, request.iid, { stateEvent: 'close' });
  await client.Issues.create(projectId, 'Between us', { confidential: true });
  // Kinds arrive in any order, including those of the test data.
  const wanted = 'closed, commented on, created, joined, opened, opened, opened, pushed new';
  const done = await until('the events', async () => {
    const events = await client.Events.all({ projectId, perPage: 50 });
    const names = events.map(({ action_name }) => action_name);
    return names.sort().join(', ') === wanted ? events : undefined;
  });
  const one = (name: string) => done.find(({ action_name }) => action_name === name);
  expect(one('commented on')).toMatchObject({
    target_type: 'Note',
    target_title: 'The crane swings',
    author_username: member.username,
    note: { body: 'Slower!', noteable_iid: issue.iid },
  });
  expect(one('pushed new')).toMatchObject({
    push_data: {
      ref: 'slow',
      ref_type: 'branch',
      action: 'created',
      commit_to: commit.id,
      commit_title: 'Slow it down',
    },
  });
  expect(one('closed')).toMatchObject({ target_type: 'MergeRequest', target_iid: request.iid });
  expect(done.map(({ target_title }) => target_title)).toContain('Between us');

  const stranger = await newUser('stranger');
  const seen = await stranger.client.Events.all({ projectId, perPage: 50 });
  expect(seen).toHaveLength(done.length - 1);
  expect(seen.map(({ target_title }) => target_title)).not.toContain('Between us');
  const anonymous = await ask(`/api/v4/projects/${projectId}/events?per_page=50`);
  expect(await anonymous.json()).toHaveLength(seen.length);

  const own = await client.Events.all({ action: 'commented', targetType: 'note' });
  expect(own).toMatchObject([{ project_id: projectId, action_name: 'commented on' }]);
  const byName = await stranger.client.Events.all({ userId: member.username, targetType: 'issue' });
  expect(byName.map(({ target_title }) => target_title)).toEqual(['The crane swings']);
  expect((await ask('/api/v4/events')).status).toBe(401);
  const everything = await client.Events.all({ scope: 'all', perPage: 50 });
  expect(everything.length).toBeGreaterThanOrEqual(done.length);
  await root.Issues.remove(projectId, issue.iid);
  await until('the end of the comment', async () => {
    return (await client.Events.all({ action: 'commented', targetType: 'note' })).length === 0;
  });
});

it('creates todos for users, until they are done', async () => {
  const { projectId, member } = await newWorld();
  const reader = await newUser('reader');
  const stranger = await newUser('stranger');
  await root.ProjectMembers.add(projectId, 30, { userId: reader.id });
  const { TodoLists } = reader.client;
  const pending = async (length: number) =>
    until(`${length} todos`, async () => {
      const todos = await TodoLists.all();
      return todos.length === length ? todos : undefined;
    });
  const assigned = await member.client.Issues.create(projectId, 'Grease the crane', { assigneeIds: [reader.id] });
  const hidden = await member.client.Issues.create(projectId, 'Between us', {
    confidential: true,
    description: `What do @${reader.username} and @${stranger.username} think?`,
  });
  const todos = await pending(2);
  const named = (action: string) => todos.find(({ action_name }) => action_name === action)!;
  const [mention, assignment] = [named('mentioned'), named('assigned')];
  expect(assignment).toMatchObject({
    action_name: 'assigned',
    target_type: 'Issue',
    target: { iid: assigned.iid, title: 'Grease the crane' },
    body: 'Grease the crane',
    author: { username: member.username },
    project: { id: projectId },
    state: 'pending',
  });
  expect(mention).toMatchObject({ action_name: 'mentioned', target: { iid: hidden.iid } });
  expect(await stranger.client.TodoLists.all()).toEqual([]);
  expect(await TodoLists.all({ action: 'mentioned', projectId, authorId: member.id, type: 'Issue' })).toHaveLength(1);

  expect(await TodoLists.done({ todoId: mention.id })).toMatchObject({ id: mention.id, state: 'done' });
  await reader.client.IssueNotes.create(projectId, assigned.iid, 'Done');
  await pending(0);
  expect(await TodoLists.all({ state: 'done' })).toHaveLength(2);

  const mark = () =>
    ask(`/api/v4/projects/${projectId}/issues/${assigned.iid}/todo`, { method: 'POST', token: reader.token });
  const made = await mark();
  expect(made.status).toBe(201);
  expect(await made.json()).toMatchObject({ action_name: 'marked', target: { iid: assigned.iid } });
  expect((await mark()).status).toBe(304);
  await pending(1);
  await TodoLists.done();
  await pending(0);

  // A user who can no longer read it gets no to-do item.
  await member.client.IssueNotes.create(projectId, hidden.iid, `@${reader.username}?`);
  await pending(1);
  await root.ProjectMembers.remove(projectId, reader.id);
  await pending(0);
});
