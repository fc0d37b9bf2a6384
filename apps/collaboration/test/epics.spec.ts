import {
  Access,
  addEpicIssue,
  createEpic,
  createEpicAward,
  createEpicLink,
  createEpicNote,
  createGroupMilestone,
  createIssue,
  deleteEpic,
  deleteEpicLink,
  type GroupRef,
  getEpic,
  getEpicNote,
  getIssue,
  type Issue,
  listEpicAwards,
  listEpicIssues,
  listEpicLabelEvents,
  listEpicNotes,
  listEpics,
  listRelatedEpics,
  moveEpicIssue,
  type Note,
  removeEpicIssue,
  updateEpic,
} from '@moothall/contracts';
import { itWithoutFaults, shareBetweenTests } from '@moothall/testing';
import { Epics } from '../src/epic/epic.repository';
import { EpicViews } from '../src/epic/epic-views';
import { ChangeIssuable } from '../src/issuable/change-issuable';
import { Issues } from '../src/issue/issue.repository';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { None, Guest, Reporter, Owner } = Access;

/** An epic with issues of one project. */
async function issuesOf(title: string, count: number) {
  const [group, user] = [world.group(), world.user()];
  const project = world.project({ groupIds: [group.id] });
  world.join(user, project, Reporter);
  await world.inGroup(createEpic, group, user, Reporter, { title });
  const issues: Issue[] = [];
  for (let at = 0; at < count; at++) {
    const issue = await world.inProject(createIssue, project, user, Reporter, { title: `Issue ${at}` });
    await world.inGroup(addEpicIssue, group, user, Reporter, { epic_iid: 1, issue_id: issue.id });
    issues.push(issue);
  }
  return { group, user, project, issues };
}

describe('an epic', () => {
  it('runs the commands of its notes', async () => {
    const [group, user, guest] = [world.group(), world.user(), world.user()];
    const { id: epic_id } = await world.inGroup(createEpic, group, user, Reporter, { title: 'Big', labels: ['plan'] });
    const say = (by: typeof user, level: typeof Guest | typeof Reporter, body: string) =>
      world.inGroup(createEpicNote, group, by, level, { epic_id, body });
    const asked = '/unlabel ~plan\n/title Bigger\n/unsubscribe\n/award :rocket:\n/weight 3\n/close';
    expect(await say(user, Reporter, asked)).toMatchObject({
      body: '/weight 3',
      commands_changes: {
        title: 'Bigger',
        state_event: 'close',
        subscription_event: 'unsubscribe',
        emoji_award: 'rocket',
      },
    });
    expect(await world.inGroup(getEpic, group, user, Reporter, { epic_iid: 1 })).toMatchObject({
      title: 'Bigger',
      state: 'closed',
      labels: [],
      subscribed: false,
    });
    const awards = await world.inGroup(listEpicAwards, group, user, Guest, { epic_iid: 1 });
    expect(awards.items.map(({ name }) => name)).toEqual(['rocket']);
    await expect(say(guest, Guest, '/reopen')).rejects.toMatchObject({ value: { code: 'note.commands_failed' } });
    await expect(say(user, Reporter, '/award :rocket:')).rejects.toMatchObject({
      value: { code: 'note.commands_failed' },
    });
  });

  it('is opened, shown and changed, with events', async () => {
    const [group, user] = [world.group(), world.user()];
    const made = await world.inGroup(createEpic, group, user, Reporter, {
      title: 'Big',
      labels: ['plan'],
      start_date_is_fixed: true,
      start_date_fixed: '2020-10-01',
    });
    expect(made).toMatchObject({
      iid: 1,
      group_id: group.id,
      title: 'Big',
      state: 'opened',
      labels: ['plan'],
      start_date: '2020-10-01',
      due_date: null,
      parent_id: null,
      web_url: `http://moothall.test/groups/${group.fullPath}/-/epics/1`,
      references: { short: '&1', full: `${group.fullPath}&1` },
      subscribed: true,
    });
    const change = { epic_iid: 1, title: 'Bigger', state_event: 'close' as const, remove_labels: ['plan'] };
    const changed = await world.inGroup(updateEpic, group, user, Reporter, change);
    expect(changed).toMatchObject({ title: 'Bigger', state: 'closed', labels: [] });
    const notes = await world.inGroup(listEpicNotes, group, user, Guest, { epic_id: made.id, sort: 'asc' });
    expect(notes.items.map(({ body }) => body)).toEqual(['changed title from **{-Big-}** to **{+Bigger+}**', 'closed']);
    const events = await world.inGroup(listEpicLabelEvents, group, user, Guest, { epic_id: made.id });
    expect(events.items.map(({ action, resource_type }) => [action, resource_type])).toEqual([
      ['add', 'Epic'],
      ['remove', 'Epic'],
    ]);
  });

  it('is hidden while confidential', async () => {
    const [group, user, other] = [world.group({ visibility: 'public' }), world.user(), world.user()];
    await world.inGroup(createEpic, group, user, Reporter, { title: 'Secret', confidential: true });
    const seen = (by: typeof user, level: typeof None | typeof Reporter) =>
      world.inGroup(getEpic, group, by, level, { epic_iid: 1 });
    await expect(seen(other, None)).rejects.toMatchObject({ value: { code: 'epic.not_found' } });
    await expect(seen(user, None)).resolves.toMatchObject({ title: 'Secret' });
    await expect(seen(other, Reporter)).resolves.toMatchObject({ title: 'Secret' });
    expect((await world.inGroup(listEpics, group, other, None, { include_descendant_groups: false })).total).toBe(0);
  });

  it('is not found while it is deleted with its group', async () => {
    const [group, user] = [world.group(), world.user()];
    await world.inGroup(createEpic, group, user, Reporter, { title: 'Orphan' });
    const { app } = world.service.running;
    const epic = await app.get(Epics, { strict: false }).get({ ...group, accessLevel: Reporter }, 1, user);
    const gone = app.get(EpicViews, { strict: false }).viewOne({ ...epic, groupId: world.group().id + 1 });
    await expect(gone).rejects.toMatchObject({ value: { code: 'epic.not_found' } });
  });

  it('refuses labels with names that are too long', async () => {
    const [group, user] = [world.group(), world.user()];
    const made = world.inGroup(createEpic, group, user, Reporter, { title: 'Big', labels: ['a'.repeat(256)] });
    await expect(made).rejects.toMatchObject({
      value: { message: { labels: ['is too long (maximum is 255 characters)'] } },
    });
  });

  it('has no parent below itself', async () => {
    const [group, user] = [world.group(), world.user()];
    const top = await world.inGroup(createEpic, group, user, Reporter, { title: 'Top' });
    const below = await world.inGroup(createEpic, group, user, Reporter, { title: 'Below', parent_id: top.id });
    expect(below).toMatchObject({ parent_id: top.id, parent_iid: top.iid });
    await expect(
      world.inGroup(updateEpic, group, user, Reporter, { epic_iid: top.iid, parent_id: below.id }),
    ).rejects.toMatchObject({ value: { message: { parent_id: ['is invalid'] } } });
  });

  it('has ordered issues, takes its dates from them, and can remove them', async () => {
    const [group, user] = [world.group(), world.user()];
    const project = world.project({ groupIds: [group.id] });
    world.join(user, project, Reporter);
    const milestone = await world.inGroup(createGroupMilestone, group, user, Owner, {
      title: 'v1',
      start_date: '2020-01-01',
      due_date: '2020-02-01',
    });
    await world.inGroup(createEpic, group, user, Reporter, { title: 'Big' });
    const open = (title: string) =>
      world.inProject(createIssue, project, user, Reporter, { title, milestone_id: milestone.id });
    const [one, two] = [await open('One'), await open('Two')];
    const link = await world.inGroup(addEpicIssue, group, user, Reporter, { epic_iid: 1, issue_id: one.id });
    expect(link).toMatchObject({ id: one.id, issue: { id: one.id }, epic: { iid: 1 }, relative_position: 1 });
    await world.inGroup(addEpicIssue, group, user, Reporter, { epic_iid: 1, issue_id: two.id });
    const titles = async () =>
      (await world.inGroup(listEpicIssues, group, user, Reporter, { epic_iid: 1 })).items.map(({ title }) => title);
    expect(await titles()).toEqual(['One', 'Two']);
    const move = { epic_iid: 1, epic_issue_id: two.id, move_before_id: one.id };
    await world.inGroup(moveEpicIssue, group, user, Reporter, move);
    expect(await titles()).toEqual(['Two', 'One']);
    expect(await world.inGroup(getEpic, group, user, Reporter, { epic_iid: 1 })).toMatchObject({
      start_date: '2020-01-01',
      due_date: '2020-02-01',
    });
    const epicOf = async (issue_iid: number) =>
      (await world.inProject(getIssue, project, user, Reporter, { issue_iid })).epic_iid;
    expect(await epicOf(one.iid)).toBe(1);
    await world.inGroup(removeEpicIssue, group, user, Reporter, { epic_iid: 1, epic_issue_id: one.id });
    expect([await titles(), await epicOf(one.iid)]).toEqual([['Two'], null]);
    await world.inGroup(deleteEpic, group, user, Owner, { epic_iid: 1 });
    expect(await epicOf(two.iid)).toBeNull();
    const elsewhere = await world.inProject(createIssue, world.project(), user, Reporter, { title: 'Elsewhere' });
    await world.inGroup(createEpic, group, user, Reporter, { title: 'Other' });
    await expect(
      world.inGroup(addEpicIssue, group, user, Reporter, { epic_iid: 2, issue_id: elsewhere.id }),
    ).rejects.toMatchObject({ value: { code: 'epic.issue_not_found' } });
  });

  it('moves one of many issues with a constant number of writes', async () => {
    const { group, user, issues } = await issuesOf('One', 4);
    const [first, , third, last] = issues.map(({ id }) => id);
    const { collection } = world.service.running.app.get(Issues, { strict: false }).model;
    const written = jest.spyOn(collection, 'bulkWrite');
    const move = { epic_iid: 1, epic_issue_id: last!, move_before_id: third! };
    const { items } = await world.inGroup(moveEpicIssue, group, user, Reporter, move);
    expect(items.map(({ id }) => id)).toEqual([first, issues[1]!.id, last, third]);
    expect(JSON.stringify(written.mock.calls)).toContain(`"_id":${last},`);
    expect(JSON.stringify(written.mock.calls)).not.toContain(`"_id":${first},`);
    written.mockRestore();
  });

  itWithoutFaults('removes only its own issues', async () => {
    const { group, user, project, issues } = await issuesOf('One', 1);
    const { id, iid } = issues[0]!;
    await world.inGroup(createEpic, group, user, Reporter, { title: 'Two' });
    // A concurrent request moves it to the other epic, between reading and writing.
    const changes = world.service.running.app.get(ChangeIssuable, { strict: false });
    const change = changes.change.bind(changes);
    const spy = jest.spyOn(changes, 'change').mockImplementationOnce(async (...given) => {
      await world.inGroup(addEpicIssue, group, user, Reporter, { epic_iid: 2, issue_id: id });
      return change(...given);
    });
    await world.inGroup(removeEpicIssue, group, user, Reporter, { epic_iid: 1, epic_issue_id: id });
    spy.mockRestore();
    expect(await world.inProject(getIssue, project, user, Reporter, { issue_iid: iid })).toMatchObject({ epic_iid: 2 });
  });

  it('accepts notes and awards under its global id', async () => {
    const [group, user] = [world.group(), world.user()];
    const epic = await world.inGroup(createEpic, group, user, Reporter, { title: 'Big' });
    const on = { epic_id: epic.id };
    const note = (await world.inGroup(createEpicNote, group, user, Guest, { ...on, body: 'Hello' })) as Note;
    expect(note).toMatchObject({ noteable_type: 'Epic', noteable_id: epic.id, noteable_iid: epic.iid });
    const single = await world.inGroup(getEpicNote, group, user, Guest, { ...on, note_id: note.id });
    expect(single).toMatchObject({ body: 'Hello', title: 'Big', file_name: null, expires_at: null });
    await world.inGroup(createEpicAward, group, user, Guest, { epic_iid: epic.iid, name: 'thumbsdown' });
    expect(await world.inGroup(getEpic, group, user, Guest, { epic_iid: epic.iid })).toMatchObject({
      user_notes_count: 1,
      downvotes: 1,
    });
    await expect(world.inGroup(listEpicNotes, world.group(), user, Guest, { epic_id: epic.id })).rejects.toMatchObject({
      value: { code: 'epic.not_found' },
    });
  });
});

describe('lists of epics', () => {
  it('reach into subgroups that the caller reads', async () => {
    const user = world.user();
    const top = world.group({ visibility: 'public' });
    const open = world.group({ visibility: 'public', parentId: top.id, ancestorIds: [top.id] });
    const closed = world.group({ parentId: top.id, ancestorIds: [top.id] });
    for (const [at, group] of [top, open, closed].entries()) {
      await world.inGroup(createEpic, group, user, Reporter, { title: `Epic ${at}`, labels: at ? ['sub'] : [] });
    }
    const list = async (input: object) =>
      (await world.inGroup(listEpics, top, user, None, { sort: 'asc', ...input })).items.map(({ title }) => title);
    expect(await list({})).toEqual(['Epic 0', 'Epic 1']);
    expect(await list({ include_descendant_groups: false })).toEqual(['Epic 0']);
    expect(await list({ labels: ['sub'] })).toEqual(['Epic 1']);
    expect(await list({ search: 'EPIC 0' })).toEqual(['Epic 0']);
    // More than fit into one event.
    world.gone.set(
      top.id,
      Array.from({ length: 1000 }, (_, at) => 2 ** 40 + at),
    );
    world.join(user, closed, Guest);
    expect(await list({})).toEqual(['Epic 0', 'Epic 1', 'Epic 2']);
  });
});

describe('links between epics', () => {
  const refusal = (code: string) => ({ value: { code } });
  const epicIn = (group: GroupRef, input: object = {}) =>
    world.inGroup(createEpic, group, world.user(), Reporter, { title: 'One', ...input });

  /** Two groups with an epic each, and a reporter in both. */
  async function twoGroups() {
    const [here, there, reporter] = [world.group(), world.group(), world.user()];
    for (const group of [here, there]) world.join(reporter, group, Reporter);
    const [one, other] = [await epicIn(here), await epicIn(there)];
    const link = (link_type?: 'blocks' | 'is_blocked_by', caller = reporter) =>
      world.inGroup(createEpicLink, here, caller, Reporter, {
        ...{ epic_iid: one.iid, target_group_id: String(there.id), target_epic_iid: other.iid },
        ...(link_type && { link_type }),
      });
    const list = async (group: GroupRef, caller = reporter, level: 0 | 20 = Reporter) =>
      (await world.inGroup(listRelatedEpics, group, caller, level, { epic_iid: 1 })).items;
    const remove = (related_epic_link_id: number, caller = reporter) =>
      world.inGroup(deleteEpicLink, here, caller, Reporter, { epic_iid: one.iid, related_epic_link_id });
    return { here, there, reporter, one, other, link, list, remove };
  }

  it('are visible from both ends, each with its own type, and once with concurrent requests', async () => {
    const { here, there, one, other, link, list, remove } = await twoGroups();
    const made = await Promise.allSettled([link('is_blocked_by'), link('blocks'), link()]);
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { related_epic_link_id: id } = (await list(here))[0]!;
    await remove(id);
    await expect(remove(id)).rejects.toMatchObject(refusal('epic_link.not_found'));
    expect(await link('is_blocked_by')).toMatchObject({
      ...{ source_epic: { id: other.id }, target_epic: { id: one.id }, link_type: 'blocks' },
    });
    expect(await list(here)).toMatchObject([{ id: other.id, link_type: 'is_blocked_by' }]);
    expect(await list(there)).toMatchObject([{ id: one.id, link_type: 'blocks' }]);
  });

  it('are hidden if the caller may not see the other end', async () => {
    const { here, there, one, link, list, remove } = await twoGroups();
    const stranger = world.user();
    await expect(link('blocks', stranger)).rejects.toMatchObject(refusal('epic_link.no_target'));
    const { id } = await link();
    expect(await list(here, stranger, None)).toEqual([]);
    await expect(remove(id, stranger)).rejects.toMatchObject(refusal('epic_link.not_found'));
    world.join(stranger, there, Guest);
    expect(await list(here, stranger, None)).toHaveLength(1);
    await expect(remove(id, stranger)).rejects.toMatchObject(refusal('common.forbidden'));
    const secret = await epicIn(there, { confidential: true });
    await world
      .inGroup(createEpicLink, there, stranger, Reporter, {
        ...{ epic_iid: secret.iid, target_group_id: String(there.id), target_epic_iid: 1 },
      })
      .catch((error: unknown) => expect(error).toMatchObject(refusal('epic_link.no_target')));
    const itself = { epic_iid: one.iid, target_group_id: String(here.id), target_epic_iid: one.iid };
    const reporter = world.user();
    world.join(reporter, here, Reporter);
    await expect(world.inGroup(createEpicLink, here, reporter, Reporter, itself)).rejects.toMatchObject(
      refusal('epic_link.itself'),
    );
    const nowhere = { ...itself, target_group_id: 'no/such' };
    await expect(world.inGroup(createEpicLink, here, reporter, Reporter, nowhere)).rejects.toMatchObject(
      refusal('epic_link.no_target'),
    );
  });

  it('are deleted with either end', async () => {
    const { here, there, reporter, link, list } = await twoGroups();
    await link();
    await world.inGroup(deleteEpic, there, reporter, Owner, { epic_iid: 1 });
    expect(await list(here)).toEqual([]);
  });
});
