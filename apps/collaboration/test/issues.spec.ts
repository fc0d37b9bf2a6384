import {
  Access,
  type AccessLevel,
  createGroupLabel,
  createIssue,
  createIssueNote,
  createProjectLabel,
  createProjectMilestone,
  deleteIssue,
  getIssue,
  getIssueById,
  getIssueUserAgent,
  issueChanged,
  listGroupIssueCards,
  listGroupIssues,
  listIssueLabelEvents,
  listIssueNotes,
  listIssueParticipants,
  listIssues,
  listIssuesOfMilestones,
  listProjectIssueCards,
  listProjectIssues,
  type ProjectRef,
  setIssueEstimate,
  subscribeToIssue,
  unsubscribeFromIssue,
  updateIssue,
  updateProjectLabel,
} from '@moothall/contracts';
import { eventually, itWithoutFaults, shareBetweenTests } from '@moothall/testing';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Guest, Reporter, Developer, Owner, None } = Access;
const open = (
  project: ProjectRef,
  user: ReturnType<typeof world.user>,
  input: object = {},
  level: AccessLevel = Reporter,
) => world.inProject(createIssue, project, user, level, { title: 'An issue', ...input });

const titles = (page: { items: { title: string }[] }) => page.items.map(({ title }) => title);

describe('an issue', () => {
  it('shows only administrators the user agent of its creation', async () => {
    const [project, user, admin] = [world.project(), world.user(), world.user({ isAdmin: true })];
    const client = { ip: '192.0.2.7', userAgent: 'curl/8' };
    const context = { requestId: 'test', caller: user, project: { ...project, accessLevel: Reporter }, client };
    const { iid } = await world.call(createIssue, { id: String(project.id), title: 'An issue' }, context);
    const agentOf = (caller: typeof user, issue_iid: number) =>
      world.inProject(getIssueUserAgent, project, caller, Owner, { issue_iid });
    expect(await agentOf(admin, iid)).toMatchObject({ user_agent: 'curl/8', ip_address: '192.0.2.7' });
    await expect(agentOf(user, iid)).rejects.toMatchObject({ code: 'common.forbidden' });
    const silent = await open(project, user);
    await expect(agentOf(admin, silent.iid)).rejects.toMatchObject({ code: 'user_agent.not_found' });
  });

  it('is created with every field, and shown with all of them', async () => {
    const [project, user, other] = [world.project({ visibility: 'public' }), world.user(), world.user()];
    const made = await open(project, user, {
      title: '  Fix it  ',
      description: '- [x] one\n- [ ] two',
      labels: ['bug', 'ui'],
      assignee_ids: [other.id],
      due_date: '2020-10-15',
      weight: 3,
      confidential: true,
    });
    expect(made).toMatchObject({
      iid: 1,
      project_id: project.id,
      title: 'Fix it',
      state: 'opened',
      labels: ['bug', 'ui'],
      author: { id: user.id, username: user.username },
      assignees: [{ id: other.id }],
      assignee: { id: other.id },
      due_date: '2020-10-15',
      weight: 3,
      confidential: true,
      task_completion_status: { count: 2, completed_count: 1 },
      web_url: `http://moothall.test/${project.fullPath}/-/issues/1`,
      references: { full: `${project.fullPath}#1` },
      subscribed: true,
    });
    expect(await world.inProject(getIssue, project, user, Reporter, { issue_iid: 1 })).toEqual(made);
    const admin = world.user({ isAdmin: true });
    const byId = await world.call(getIssueById, { id: made.id }, { requestId: 'test', caller: admin });
    expect(byId.iid).toBe(1);
  });

  // Regression: there could be any number of people in one document.
  it('stores ten thousand participants and subscribers', async () => {
    const [project, user, other] = [world.project(), world.user(), world.user()];
    const { id, iid: issue_iid } = await open(project, user);
    const people = Array.from({ length: 9_999 }, (_, at) => 1_000_000 + at);
    const issues = world.service.running.app.get<Connection>(getConnectionToken()).collection('issues');
    await issues.updateOne({ _id: id as never }, { $set: { participantIds: people, subscriberIds: people } });
    for (const author of [user, other]) {
      await world.inProject(createIssueNote, project, author, Reporter, { issue_iid, body: 'Hi' });
    }
    const participants = await world.inProject(listIssueParticipants, project, user, Reporter, { issue_iid });
    expect(participants.total).toBe(10_000);
    await world.inProject(subscribeToIssue, project, other, Reporter, { issue_iid });
    const refused = world.inProject(subscribeToIssue, project, world.user(), Reporter, { issue_iid });
    await expect(refused).rejects.toThrow(/too many subscribers/);
    const say = (body: string) =>
      world.inProject(createIssueNote, project, world.user(), Reporter, { issue_iid, body });
    expect(await say('Soon.\n/subscribe')).toMatchObject({ body: 'Soon.', commands_changes: {} });
    await issues.updateOne({ _id: id as never }, { $set: { unsubscriberIds: people.concat(1) } });
    const view = await world.inProject(unsubscribeFromIssue, project, user, Reporter, { issue_iid });
    expect(view).toMatchObject({ subscribed: false });
  });

  itWithoutFaults('is numbered in its project, without a gap or a double', async () => {
    const [project, user] = [world.project(), world.user()];
    const made = await Promise.all(Array.from({ length: 12 }, () => open(project, user)));
    expect(made.map(({ iid }) => iid).sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  });

  it('accepts number and time from owners only', async () => {
    const [project, user] = [world.project(), world.user()];
    const past = { iid: 40, created_at: '2020-01-02T03:04:05Z' };
    const ofReporter = await open(project, user, past);
    expect(ofReporter.iid).toBe(1);
    expect(ofReporter.created_at > '2021').toBe(true);
    expect(await open(project, user, past, Owner)).toMatchObject({ iid: 40, created_at: '2020-01-02T03:04:05.000Z' });
    expect((await open(project, user)).iid).toBe(41);
    await expect(open(project, user, past, Owner)).rejects.toMatchObject({ value: { code: 'issue.iid_taken' } });
  });

  it('accepts planning fields from reporters, and ignores them from others', async () => {
    const [project, user] = [world.project(), world.user()];
    const made = await open(project, user, { labels: ['bug'], due_date: '2020-10-15' }, Guest);
    expect(made).toMatchObject({ labels: [], due_date: null });
    const change = { issue_iid: made.iid, title: 'Mine', labels: ['bug'] };
    const changed = await world.inProject(updateIssue, project, user, Guest, change);
    expect(changed).toMatchObject({ title: 'Mine', labels: [] });
    await expect(world.inProject(updateIssue, project, world.user(), Guest, change)).rejects.toMatchObject({
      value: { code: 'common.forbidden' },
    });
  });

  it('refuses milestones of other projects and users who cannot read it', async () => {
    const [project, user] = [world.project(), world.user()];
    await expect(open(project, user, { milestone_id: 99_999 })).rejects.toMatchObject({
      value: { message: { milestone_id: ['is invalid'] } },
    });
    await expect(open(project, user, { assignee_ids: [world.user().id] })).rejects.toMatchObject({
      value: { message: { assignee_ids: ['is invalid'] } },
    });
    const { total } = await world.inProject(listProjectIssues, project, user, Reporter, {});
    expect(total).toBe(0);
  });

  it('cannot be changed while its project is archived', async () => {
    const project = world.project({ isArchived: true });
    await expect(open(project, world.user())).rejects.toMatchObject({ value: { code: 'project.archived' } });
  });

  it('has a system note for each change, and events for labels', async () => {
    const [project, user] = [world.project({ visibility: 'public' }), world.user()];
    const { iid } = await open(project, user, { labels: ['bug'] });
    const change = (input: object) =>
      world.inProject(updateIssue, project, user, Reporter, { issue_iid: iid, ...input });
    await change({ title: 'Renamed', description: 'Why' });
    await change({ add_labels: ['ui'], remove_labels: ['bug'] });
    await change({ assignee_ids: [user.id] });
    await change({ due_date: '2020-10-15', confidential: true });
    const closed = await change({ state_event: 'close' });
    expect(closed).toMatchObject({ state: 'closed', closed_by: { id: user.id } });
    const reopened = await change({ state_event: 'reopen', discussion_locked: true });
    expect(reopened).toMatchObject({ state: 'opened', closed_at: null, closed_by: null, user_notes_count: 0 });
    const notes = await world.inProject(listIssueNotes, project, user, Reporter, { issue_iid: iid, sort: 'asc' });
    expect(notes.items.map(({ body }) => body)).toEqual([
      'changed title from **{-An issue-}** to **{+Renamed+}**',
      'changed the description',
      `assigned to @${user.username}`,
      'changed due date to October 15, 2020',
      'made the issue confidential',
      'closed',
      'locked this issue',
      'reopened',
    ]);
    expect(notes.items.every(({ system }) => system)).toBe(true);
    const events = await world.inProject(listIssueLabelEvents, project, user, Reporter, { issue_iid: iid });
    expect(events.items.map(({ action, label }) => `${action} ${label?.name}`)).toEqual([
      'add bug',
      'add ui',
      'remove bug',
    ]);
  });

  it('changes and publishes nothing if the values are the same', async () => {
    const [project, user] = [world.project(), world.user()];
    const made = await open(project, user, { labels: ['bug'] });
    const same = { issue_iid: made.iid, title: made.title, labels: ['bug'], state_event: 'reopen' as const };
    expect(await world.inProject(updateIssue, project, user, Reporter, same)).toEqual(made);
  });

  it('stores all of many concurrent changes', async () => {
    const [project, user] = [world.project(), world.user()];
    const { iid } = await open(project, user);
    const names = Array.from({ length: 8 }, (_, at) => `label ${at}`);
    await Promise.all(
      names.map((name) =>
        world.inProject(updateIssue, project, user, Reporter, { issue_iid: iid, add_labels: [name, 'shared'] }),
      ),
    );
    const { labels } = await world.inProject(getIssue, project, user, Reporter, { issue_iid: iid });
    expect(labels).toEqual([...names, 'shared']);
    const events = await world.inProject(listIssueLabelEvents, project, user, Reporter, { issue_iid: iid });
    expect(events.items.map(({ label }) => label?.name).sort()).toEqual([...names, 'shared']);
  });

  it('is hidden while confidential, except from its participants and reporters', async () => {
    const project = world.project({ visibility: 'public' });
    const [author, stranger] = [world.user(), world.user()];
    const { iid } = await open(project, author, { confidential: true }, None);
    const asked = (user: typeof author | undefined, level: AccessLevel) =>
      world.inProject(getIssue, project, user, level, { issue_iid: iid });
    await expect(asked(author, None)).resolves.toMatchObject({ iid });
    await expect(asked(stranger, Reporter)).resolves.toMatchObject({ iid });
    for (const user of [stranger, undefined]) {
      await expect(asked(user, None)).rejects.toMatchObject({ value: { code: 'issue.not_found' } });
      const { items, total } = await world.inProject(listProjectIssues, project, user, None, {});
      expect([items, total]).toEqual([[], 0]);
    }
  });

  it('is deleted with its notes and label events', async () => {
    const [project, user] = [world.project(), world.user()];
    const made = await open(project, user, { labels: ['bug'] });
    await world.inProject(deleteIssue, project, user, Owner, { issue_iid: made.iid });
    await expect(world.inProject(getIssue, project, user, Owner, { issue_iid: made.iid })).rejects.toMatchObject({
      value: { code: 'issue.not_found' },
    });
    const event = await eventually(() =>
      world.service.events(issueChanged).find(({ data }) => data.action === 'delete' && data.issue.id === made.id),
    );
    expect(event.data.user_id).toBe(user.id);
    expect((await open(project, user)).iid).toBe(made.iid + 1);
  });

  it('publishes the values before', async () => {
    const [project, user, other] = [world.project(), world.user(), world.user()];
    world.join(other, project, Reporter);
    const made = await open(project, user, { description: 'It swings' });
    const patch = { title: 'Another', assignee_ids: [other.id], add_labels: ['bug'] };
    await world.inProject(updateIssue, project, user, Reporter, { issue_iid: made.iid, ...patch });
    const event = await eventually(() =>
      world.service.events(issueChanged).find(({ data }) => data.action === 'update' && data.issue.id === made.id),
    );
    expect(event.data).toMatchObject({ user_id: user.id, issue: { title: 'Another', assignee_ids: [other.id] } });
    expect(event.data.before).toEqual({
      title: 'An issue',
      assignee_ids: [],
      label_ids: [],
      updated_at: expect.any(String),
    });
  });

  it('stores subscribers, participants and time tracking', async () => {
    const [project, user, reader] = [world.project(), world.user(), world.user()];
    const { iid } = await open(project, user);
    const subscribed = await world.inProject(subscribeToIssue, project, reader, Guest, { issue_iid: iid });
    expect(subscribed.subscribed).toBe(true);
    const stats = await world.inProject(setIssueEstimate, project, user, Reporter, {
      issue_iid: iid,
      duration: '1d 2h',
    });
    expect(stats).toMatchObject({ time_estimate: 36_000, human_time_estimate: '1d 2h', total_time_spent: 0 });
    const { items } = await world.inProject(listIssueParticipants, project, user, Reporter, { issue_iid: iid });
    expect(items.map(({ id }) => id)).toEqual([user.id]);
  });
});

describe('lists of issues', () => {
  it('have the filters that clients use', async () => {
    const [project, user, other] = [world.project({ visibility: 'public' }), world.user(), world.user()];
    await open(project, user, { title: 'Alpha crash', labels: ['bug', 'ui'], assignee_ids: [other.id] });
    await open(project, other, { title: 'Beta', labels: ['bug'], description: 'a CRASH (again)' });
    await open(project, user, { title: 'Gamma', confidential: true });
    await world.inProject(updateIssue, project, user, Reporter, { issue_iid: 2, state_event: 'close' });
    const find = async (input: object) =>
      titles(await world.inProject(listProjectIssues, project, user, Reporter, { sort: 'asc', ...input }));
    expect(await find({})).toEqual(['Alpha crash', 'Beta', 'Gamma']);
    expect(await find({ state: 'opened' })).toEqual(['Alpha crash', 'Gamma']);
    expect(await find({ labels: ['bug'] })).toEqual(['Alpha crash', 'Beta']);
    expect(await find({ labels: ['bug', 'ui'] })).toEqual(['Alpha crash']);
    expect(await find({ labels: ['nothing like it'] })).toEqual([]);
    expect(await find({ labels: ['None'] })).toEqual(['Gamma']);
    expect(await find({ labels: ['any'] })).toEqual(['Alpha crash', 'Beta']);
    expect(await find({ author_id: other.id })).toEqual(['Beta']);
    expect(await find({ author_username: user.username })).toEqual(['Alpha crash', 'Gamma']);
    expect(await find({ author_username: 'nobody' })).toEqual([]);
    expect(await find({ assignee_id: 'None' })).toEqual(['Beta', 'Gamma']);
    expect(await find({ assignee_id: 'Any' })).toEqual(['Alpha crash']);
    expect(await find({ assignee_username: [other.username] })).toEqual(['Alpha crash']);
    expect(await find({ search: 'crash' })).toEqual(['Alpha crash', 'Beta']);
    expect(await find({ search: 'crash', in: ['title'] })).toEqual(['Alpha crash']);
    expect(await find({ search: '(again)' })).toEqual(['Beta']);
    expect(await find({ iids: [1, 3] })).toEqual(['Alpha crash', 'Gamma']);
    expect(await find({ confidential: true })).toEqual(['Gamma']);
    expect(await find({ created_after: '2999-01-01' })).toEqual([]);
    expect(await find({ not: { labels: ['ui'], author_id: user.id } })).toEqual(['Beta']);
    expect(await find({ milestone: 'None', due_date: '0', weight: 'None' })).toHaveLength(3);
    expect(await find({ iids: Array.from({ length: 10_000 }, (_, at) => at) })).toHaveLength(3);
  });

  it('of some milestones are found with all filters, and nothing of other projects', async () => {
    const [project, other, user] = [world.project(), world.project(), world.user()];
    const milestoneOf = (where: typeof project, title: string) =>
      world.inProject(createProjectMilestone, where, user, Developer, { title });
    const [one, two, three] = [
      await milestoneOf(project, 'One'),
      await milestoneOf(project, 'Two'),
      await milestoneOf(other, 'Three'),
    ];
    await open(project, user, { title: 'a', milestone_id: one.id });
    await open(project, user, { title: 'b', milestone_id: two.id, labels: ['bug'] });
    await open(project, user, { title: 'c', milestone_id: two.id, confidential: true });
    await open(project, user, { title: 'd' });
    await open(other, user, { title: 'e', milestone_id: three.id });
    const find = async (milestone_ids: number[], given: object = {}, by = user, level: AccessLevel = Reporter) => {
      const input = { milestone_ids, sort: 'asc' as const, ...given };
      return titles(await world.inProject(listIssuesOfMilestones, project, by, level, input)).join('');
    };
    expect([await find([one.id]), await find([one.id, two.id, three.id]), await find([])]).toEqual(['a', 'abc', '']);
    expect(await find([two.id], { labels: ['bug'] })).toBe('b');
    expect(await find([one.id, two.id], { milestone: 'Two' })).toBe('bc');
    expect(await find([two.id], {}, world.user(), Guest)).toBe('b');
  });

  it('have every order of the interface', async () => {
    const [project, user] = [world.project(), world.user()];
    await open(project, user, { title: 'a', due_date: '2020-03-01', weight: 5 });
    await open(project, user, { title: 'b', weight: 1 });
    await open(project, user, { title: 'c', due_date: '2020-01-01' });
    const ordered = async (order_by: string, sort: string) =>
      titles(await world.inProject(listProjectIssues, project, user, Reporter, { order_by, sort } as object)).join('');
    expect(await ordered('created_at', 'desc')).toBe('cba');
    expect(await ordered('updated_at', 'asc')).toBe('abc');
    expect(await ordered('due_date', 'asc')).toBe('cab');
    expect(await ordered('due_date', 'desc')).toBe('acb');
    expect(await ordered('weight', 'asc')).toBe('bac');
    expect(await ordered('weight', 'desc')).toBe('abc');
    expect(await ordered('relative_position', 'asc')).toBe('abc');
    for (const order of ['priority', 'label_priority', 'milestone_due', 'popularity']) {
      expect(await ordered(order, 'asc')).toHaveLength(3);
    }
  });

  it('are cards of boards in the order of people, for those who may see them', async () => {
    const [group, user] = [world.group(), world.user()];
    const [here, there] = [world.project({ groupIds: [group.id] }), world.project({ groupIds: [group.id] })];
    for (const place of [here, there]) world.join(user, place, Reporter);
    await open(here, user, { title: 'a', description: 'Long', labels: ['bug'] });
    await open(here, user, { title: 'b', confidential: true });
    const { iid } = await open(here, user, { title: 'c', labels: ['bug'] });
    await world.inProject(updateIssue, here, user, Reporter, { issue_iid: iid, state_event: 'close' });
    await open(there, user, { title: 'd', labels: ['bug'] });
    const cards = async (input: object = {}, by = user, level: AccessLevel = Reporter) =>
      (await world.inProject(listProjectIssueCards, here, by, level, input)).items;
    const first = { iid: 1, title: 'a', web_url: expect.stringMatching(new RegExp(`${here.fullPath}/-/issues/1$`)) };
    expect((await cards())[0]).toEqual(first);
    const inOrder = await world.inProject(listProjectIssues, here, user, Reporter, { order_by: 'relative_position' });
    expect(titles({ items: await cards() })).toEqual(titles(inOrder));
    expect(titles({ items: await cards({ state: 'opened', labels: ['bug'] }) })).toEqual(['a']);
    expect(titles({ items: await cards({ state: 'closed' }) })).toEqual(['c']);
    expect(titles({ items: await cards({}, world.user(), Guest) })).toEqual(['a', 'c']);
    expect((await world.inProject(listProjectIssueCards, here, user, Reporter, { per_page: 1 })).total).toBe(3);
    const below = await world.inGroup(listGroupIssueCards, group, user, Reporter, { labels: ['bug'], state: 'opened' });
    expect(titles(below).toSorted()).toEqual(['a', 'd']);
  });

  it('are sorted by milestone and by the label priority of each project', async () => {
    const [group, user] = [world.group(), world.user()];
    const [here, there] = [world.project({ groupIds: [group.id] }), world.project({ groupIds: [group.id] })];
    for (const place of [here, there]) world.join(user, place, Reporter);
    for (const name of ['low', 'high']) {
      await world.inGroup(createGroupLabel, group, user, Reporter, { name, color: '#fff' });
    }
    const give = (project: ProjectRef, label_id: string, priority: number) =>
      world.inProject(updateProjectLabel, project, user, Reporter, { label_id, priority });
    await give(here, 'low', 5);
    await give(here, 'high', 1);
    await give(there, 'low', 0);
    const soon = await world.inProject(createProjectMilestone, here, user, Reporter, {
      title: 'soon',
      due_date: '2020-01-01',
    });
    const late = await world.inProject(createProjectMilestone, here, user, Reporter, {
      title: 'late',
      due_date: '2030-01-01',
    });
    await open(here, user, { title: 'a', labels: ['low'], milestone_id: soon.id });
    await open(here, user, { title: 'b', labels: ['high'], milestone_id: late.id });
    await open(here, user, { title: 'c' });
    const ordered = async (order_by: string) =>
      titles(await world.inProject(listProjectIssues, here, user, Reporter, { order_by, sort: 'asc' } as object)).join(
        '',
      );
    expect([await ordered('label_priority'), await ordered('milestone_due')]).toEqual(['bac', 'abc']);
    expect(await ordered('priority')).toBe('abc');
    await open(there, user, { title: 'd', labels: ['low'] });
    const all = { order_by: 'label_priority', sort: 'asc' } as const;
    expect(titles(await world.inGroup(listGroupIssues, group, user, Reporter, all)).join('')).toBe('dbac');
  });

  it('are paged in orders by fields that most issues lack', async () => {
    const [project, user] = [world.project(), world.user()];
    await world.inProject(createProjectLabel, project, user, Reporter, { name: 'urgent', color: '#fff', priority: 1 });
    await world.inProject(createProjectLabel, project, user, Reporter, { name: 'later', color: '#fff', priority: 2 });
    await open(project, user, { title: 'a', due_date: '2020-03-01', weight: 5, labels: ['later'] });
    await open(project, user, { title: 'b', labels: ['later', 'urgent'] });
    await open(project, user, { title: 'c', due_date: '2020-01-01', weight: 0 });
    for (const title of ['d', 'e']) await open(project, user, { title });
    const paged = async (order_by: string, sort: string, per_page: number) => {
      let all = '';
      for (let page = 1; page <= 5; page++) {
        const input = { order_by, sort, per_page, page } as object;
        const found = await world.inProject(listProjectIssues, project, user, Reporter, input);
        expect(found.total).toBe(5);
        all += titles(found).join('');
      }
      return all;
    };
    for (const per_page of [1, 2, 3, 5]) {
      expect(await paged('due_date', 'asc', per_page)).toBe('caedb');
      expect(await paged('due_date', 'desc', per_page)).toBe('acedb');
      expect(await paged('weight', 'asc', per_page)).toBe('caedb');
      expect(await paged('weight', 'desc', per_page)).toBe('acedb');
      expect(await paged('label_priority', 'asc', per_page)).toBe('baedc');
    }
  });

  it('are paged', async () => {
    const [project, user] = [world.project(), world.user()];
    for (const title of ['a', 'b', 'c']) await open(project, user, { title });
    const second = await world.inProject(listProjectIssues, project, user, Reporter, { page: 2, per_page: 2 });
    expect([titles(second), second.total]).toEqual([['a'], 3]);
  });

  it('span the projects that the caller reads, by default the own issues', async () => {
    const group = world.group();
    const user = world.user();
    const project = world.project({ groupIds: [group.id] });
    const archived = world.project({ groupIds: [group.id], isArchived: false });
    const hidden = world.project({ groupIds: [group.id] });
    const publicOne = world.project({ groupIds: [group.id], visibility: 'public' });
    world.join(user, project, Guest);
    world.join(user, archived, Guest);
    const other = world.user();
    await open(project, other, { title: 'open to all' });
    await open(project, other, { title: 'kept', confidential: true });
    await open(project, user, { title: 'own' });
    await open(hidden, other, { title: 'elsewhere' });
    await open(publicOne, other, { title: 'public' });
    await open(archived, other, { title: 'old' });
    world.projects.set(archived.id, { ...archived, isArchived: true });
    const asked = (input: object) => world.inGroup(listGroupIssues, group, user, Guest, { sort: 'asc', ...input });
    expect(titles(await asked({}))).toEqual(['open to all', 'own', 'public']);
    expect(titles(await asked({ non_archived: false }))).toContain('old');
    const mine = await world.call(listIssues, {}, { requestId: 'test', caller: user });
    expect(titles(mine)).toEqual(['own']);
    await expect(world.call(listIssues, {}, { requestId: 'test' })).rejects.toMatchObject({
      value: { code: 'common.unauthorized' },
    });
    const admin = world.user({ isAdmin: true });
    const everything = await world.call(
      listIssues,
      { scope: 'all', per_page: 100 },
      { requestId: 'test', caller: admin },
    );
    expect(titles(everything)).toEqual(expect.arrayContaining(['kept', 'elsewhere', 'public']));
    expect(titles(everything)).not.toContain('old');
  });
});
