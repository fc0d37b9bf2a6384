import {
  Access,
  createIssue,
  createIssueNote,
  createIteration,
  createIterationCadence,
  deleteIteration,
  type GroupRef,
  getIssue,
  getIssueIterationEvent,
  groupDeleted,
  type InputOf,
  listGroupIssues,
  listGroupIterations,
  listIssueIterationEvents,
  listProjectIssues,
  listProjectIterations,
  type ProjectRef,
  projectChanged,
  setIssueIteration,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { None, Guest, Reporter } = Access;
const user = () => world.user();
const dayMs = 24 * 60 * 60 * 1000;
const day = (fromNow: number) => new Date(Date.now() + fromNow * dayMs).toISOString().slice(0, 10);
const span = (first: number, last: number) => ({ start_date: day(first), due_date: day(last) });

type New = Partial<Omit<InputOf<typeof createIteration>, 'id'>>;
const make = (group: GroupRef, input: New = {}) =>
  world.inGroup(createIteration, group, user(), Reporter, { ...span(0, 6), ...input });
const cadenceOf = (group: GroupRef, title = 'Weeks') =>
  world.inGroup(createIterationCadence, group, user(), Reporter, { title, automatic: false });
const list = async (group: GroupRef, input: object = {}) =>
  (await world.inGroup(listGroupIterations, group, user(), None, input)).items;
const titlesOf = async (group: GroupRef, input?: object) => (await list(group, input)).map(({ title }) => title);
const refusal = (code: string) => ({ value: { code } });

/** A group with a project and an issue. */
async function place() {
  const group = world.group();
  const project = world.project({ groupIds: [group.id] });
  const reporter = user();
  const { iid, id } = await world.inProject(createIssue, project, reporter, Reporter, { title: 'Planned' });
  const put = (iteration_id: number | null) =>
    world.inProject(setIssueIteration, project, reporter, Reporter, { issue_iid: iid, iteration_id });
  const shown = async () =>
    (await world.inProject(getIssue, project, reporter, Reporter, { issue_iid: iid })).iteration;
  const events = async () =>
    (await world.inProject(listIssueIterationEvents, project, reporter, Reporter, { issue_iid: iid })).items;
  const note = (body: string) =>
    world.inProject(createIssueNote, project, reporter, Reporter, { issue_iid: iid, body });
  return { group, project, reporter, iid, id, put, shown, events, note };
}

describe('iterations of a group', () => {
  it('are shown with their current state, the earliest first, in any order of creation', async () => {
    const group = world.group();
    const { id: cadence_id } = await cadenceOf(group);
    const next = await make(group, { cadence_id, title: 'next', ...span(7, 13) });
    expect(next).toMatchObject({
      ...{ iid: 1, sequence: 1, group_id: group.id, title: 'next', description: null, state: 1, ...span(7, 13) },
      web_url: `http://moothall.test/groups/${group.fullPath}/-/iterations/1`,
    });
    await make(group, { cadence_id, title: 'now', ...span(0, 6) });
    await make(group, { cadence_id, title: 'before', ...span(-7, -1) });
    expect((await list(group)).map(({ title, sequence, state }) => [title, sequence, state])).toEqual([
      ['before', 1, 3],
      ['now', 2, 2],
      ['next', 3, 1],
    ]);
    expect(await titlesOf(group, { state: 'opened' })).toEqual(['now', 'next']);
    expect(await titlesOf(group, { state: 'current' })).toEqual(['now']);
    expect(await titlesOf(group, { state: 'closed' })).toEqual(['before']);
    expect(await titlesOf(group, { search: 'NE' })).toEqual(['next']);
    expect(await titlesOf(group, { search: 'week' })).toEqual([]);
    expect(await titlesOf(group, { search: 'week', in: ['title', 'cadence_title'] })).toHaveLength(3);
    expect(await titlesOf(group, { updated_before: '2020-01-01T00:00:00Z' })).toEqual([]);
  });

  it('include those of ancestors, and of readable subgroups on request', async () => {
    const above = world.group();
    const group = world.group({ ancestorIds: [above.id] });
    const below = world.group({ ancestorIds: [group.id, above.id], visibility: 'public' });
    const hidden = world.group({ ancestorIds: [group.id, above.id], visibility: 'private' });
    const all = { above, group, below, hidden };
    for (const [title, one] of Object.entries(all)) await make(one, { title });
    expect((await titlesOf(group)).sort()).toEqual(['above', 'group']);
    expect(await titlesOf(group, { include_ancestors: false })).toEqual(['group']);
    const reader = user();
    const input = { include_ancestors: false, include_descendants: true };
    const titles = async () =>
      (await world.inGroup(listGroupIterations, group, reader, None, input)).items.map(({ title }) => title).sort();
    expect(await titles()).toEqual(['below', 'group']);
    world.join(reader, hidden, Guest);
    expect(await titles()).toEqual(['below', 'group', 'hidden']);
    const project = world.project({ groupIds: [group.id, above.id] });
    const ofProject = async (given: object) =>
      (await world.inProject(listProjectIterations, project, reader, Guest, given)).items.map(({ title }) => title);
    expect((await ofProject({})).sort()).toEqual(['above', 'group']);
    expect(await ofProject({ include_ancestors: false })).toEqual(['group']);
    expect(await world.inProject(listProjectIterations, world.project(), reader, Guest, {})).toMatchObject({
      total: 0,
    });
  });

  it('share no day with another of their cadence, also with concurrent requests', async () => {
    const group = world.group();
    const [one, other] = [await cadenceOf(group), await cadenceOf(group)];
    const made = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => make(group, { cadence_id: one.id, ...span(n, n + 6) })),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = made.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(refused.reason).toMatchObject(refusal('iteration.overlaps'));
    expect(await make(group, { cadence_id: other.id })).toMatchObject({ sequence: 1 });
    await expect(make(group, { cadence_id: other.id, ...span(6, 7) })).rejects.toMatchObject(
      refusal('iteration.overlaps'),
    );
  });

  it('belong to one cadence by default, also if the first ones are created concurrently', async () => {
    const group = world.group();
    const made = await Promise.all([0, 10, 20, 30].map((first) => make(group, span(first, first + 6))));
    expect((await list(group)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(new Set(made.map(({ iid }) => iid)).size).toBe(4);
  });

  it.each<[string, New, string]>([
    ['end before they start', span(1, 0), 'common.invalid_record'],
    ['take years', { start_date: '0001-01-01', due_date: '9999-12-31' }, 'common.invalid_record'],
    ['are of a cadence that is not there', { cadence_id: 999_999_999 }, 'common.not_found'],
  ])('are refused if they %s', async (_what, input, code) => {
    await expect(make(world.group(), input)).rejects.toMatchObject(refusal(code));
  });

  it('are of no cadence of another group, and of none that runs by itself', async () => {
    const { id: cadence_id } = await cadenceOf(world.group());
    await expect(make(world.group(), { cadence_id })).rejects.toMatchObject(refusal('common.not_found'));
    const automatic = { title: 'By itself', automatic: true };
    await expect(
      world.inGroup(createIterationCadence, world.group(), user(), Reporter, automatic),
    ).rejects.toMatchObject(refusal('iteration.not_automatic'));
  });

  it('are deleted by reporters, and missing for users who do not read the group', async () => {
    const group = world.group({ visibility: 'private' });
    const { id: iteration_id } = await make(group);
    const [stranger, guest, reporter] = [user(), user(), user()];
    world.join(guest, group, Guest);
    world.join(reporter, group, Reporter);
    const remove = (caller: typeof guest) =>
      world.call(deleteIteration, { iteration_id }, { requestId: 'test', caller });
    await expect(remove(stranger)).rejects.toMatchObject(refusal('common.not_found'));
    await expect(remove(guest)).rejects.toMatchObject(refusal('common.forbidden'));
    expect(await remove(reporter)).toEqual({ group_id: group.id });
    await expect(remove(reporter)).rejects.toMatchObject(refusal('common.not_found'));
  });
});

describe('an issue', () => {
  it('is added to an iteration, moved to another and removed, with events', async () => {
    const { group, project, reporter, iid, id, put, shown, events } = await place();
    const [first, second] = [await make(group), await make(group, span(7, 8))];
    expect((await put(first.id)).iteration).toEqual({ ...first, sequence: 1 });
    await put(first.id);
    await put(second.id);
    expect(await shown()).toEqual(second);
    await put(null);
    expect(await shown()).toBeNull();
    const listed = await events();
    expect(listed.map(({ action, iteration }) => [action, iteration?.id])).toEqual([
      ['add', first.id],
      ['add', second.id],
      ['remove', second.id],
    ]);
    expect(listed[0]).toMatchObject({ resource_type: 'Issue', resource_id: id, user: { id: reporter.id } });
    const one = { issue_iid: iid, resource_iteration_event_id: listed[1]!.id };
    expect(await world.inProject(getIssueIterationEvent, project, reporter, Reporter, one)).toEqual(listed[1]);
  });

  it('is in none of a group that is not above its project', async () => {
    const { put } = await place();
    const { id } = await make(world.group());
    await expect(put(id)).rejects.toMatchObject(refusal('common.invalid_record'));
  });

  it('is found by its iteration', async () => {
    const { group, project, reporter, put } = await place();
    const { id } = await make(group, { title: 'June' });
    await put(id);
    await world.inProject(createIssue, project, reporter, Reporter, { title: 'Unplanned' });
    world.join(reporter, project, Reporter);
    const found = async (input: object) => {
      const inProject = await world.inProject(listProjectIssues, project, reporter, Reporter, input);
      const inGroup = await world.inGroup(listGroupIssues, group, reporter, Reporter, input);
      const titles = inProject.items.map(({ title }) => title);
      expect(inGroup.items.map(({ title }) => title)).toEqual(titles);
      return titles;
    };
    expect(await found({ iteration_id: String(id) })).toEqual(['Planned']);
    expect(await found({ iteration_id: 'Any' })).toEqual(['Planned']);
    expect(await found({ iteration_id: 'none' })).toEqual(['Unplanned']);
    expect(await found({ iteration_title: 'June' })).toEqual(['Planned']);
    expect(await found({ iteration_title: 'May' })).toEqual([]);
    expect(await found({ not: { iteration_id: id } })).toEqual(['Unplanned']);
    expect(await found({ not: { iteration_title: 'June' } })).toEqual(['Unplanned']);
    await expect(found({ iteration_id: 'soon' })).rejects.toMatchObject(refusal('common.invalid_parameters'));
  });

  it('is assigned by commands in notes', async () => {
    const { group, shown, note } = await place();
    const { id: cadence_id } = await cadenceOf(group);
    const now = await make(group, { cadence_id, title: 'It is now' });
    const next = await make(group, { cadence_id, title: 'Next', ...span(10, 11) });
    await note(`/iteration *iteration:${next.id}`);
    expect(await shown()).toMatchObject({ id: next.id });
    await note('/iteration *iteration:"It is now"');
    expect(await shown()).toMatchObject({ id: now.id });
    await note('/remove_iteration');
    expect(await shown()).toBeNull();
    await note('/iteration --next');
    expect(await shown()).toMatchObject({ id: next.id });
    await note(`/iteration [cadence:${cadence_id}] --current`);
    expect(await shown()).toMatchObject({ id: now.id });
    const elsewhere = await make(world.group());
    for (const what of [`*iteration:${elsewhere.id}`, '*iteration:"Never"', '*iteration:', '[cadence:1] --next', 'x'])
      await expect(note(`/iteration ${what}`)).rejects.toMatchObject(refusal('note.commands_failed'));
    expect(await shown()).toMatchObject({ id: now.id });
    await make(group, { cadence_id: (await cadenceOf(group, 'Others')).id });
    await note('/remove_iteration');
    await expect(note('/iteration --current')).rejects.toMatchObject(refusal('note.commands_failed'));
    expect(await shown()).toBeNull();
  });

  it('loses an iteration that is deleted, alone or with its group', async () => {
    const { group, reporter, put, shown, events } = await place();
    world.join(reporter, group, Reporter);
    const [first, second] = [await make(group), await make(group, span(7, 8))];
    await put(first.id);
    await world.call(deleteIteration, { iteration_id: first.id }, { requestId: 'test', caller: reporter });
    expect(await shown()).toBeNull();
    expect(await events()).toMatchObject([{ action: 'add', iteration: null }]);
    await put(second.id);
    await world.service.emit(groupDeleted, { group_id: group.id, full_path: group.fullPath } as never);
    await eventually(async () => (await shown()) === null);
    expect(await list(group)).toEqual([]);
  });

  it('loses the iteration of a group when its project is transferred', async () => {
    const top = world.group();
    const { group, project, put, shown } = await place();
    const moved = async (groupIds: number[]) => {
      world.projects.set(project.id, { ...project, groupIds } as ProjectRef);
      const change = 'transferred' as const;
      await world.service.emit(projectChanged, { project_id: project.id, full_path: project.fullPath, change });
    };
    const { id } = await make(group);
    await put(id);
    await moved([group.id, top.id]);
    expect(await shown()).toMatchObject({ id });
    await moved([top.id]);
    await eventually(async () => (await shown()) === null);
  });
});
