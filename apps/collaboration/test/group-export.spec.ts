import {
  Access,
  countGroupIssues,
  createEpic,
  createEpicNote,
  createGroupLabel,
  createGroupMilestone,
  createIssue,
  exportedKinds,
  exportGroupRecords,
  type GroupRef,
  groupDeleted,
  importGroupRecords,
  listEpicNotes,
  listEpics,
  listGroupLabels,
  listGroupMilestones,
  type OutputOf,
  updateEpic,
} from '@moothall/contracts';
import { eventually, itWithoutFaults, shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Guest, Reporter, Owner } = Access;
type Exported = OutputOf<typeof exportGroupRecords>;
const internal = { requestId: 'test' };

async function exported(group: GroupRef, limit = 1): Promise<Exported[]> {
  const pages: Exported[] = [];
  for (const kind of exportedKinds) {
    let after_id: number | null = 0;
    let taken = {};
    while (after_id !== null) {
      const input = { group_id: group.id, kind, after_id, limit, ...taken };
      const page: Exported = await world.call(exportGroupRecords, input, internal);
      pages.push(page);
      after_id = page.next_after_id;
      taken = page.next_notes ?? {};
    }
  }
  return pages;
}

async function imported(group: GroupRef, pages: Exported[]): Promise<number> {
  let total = 0;
  for (const { next_after_id: _, next_notes: __, ...records } of pages) {
    const { created } = await world.call(importGroupRecords, { group_id: group.id, ...records }, internal);
    total += created;
  }
  return total;
}

describe('a group export', () => {
  itWithoutFaults('ends a page before a message becomes too long, and loses nothing', async () => {
    const [from, to] = [world.group(), world.group()];
    const description = 'x'.repeat(900_000);
    const labels = Array.from({ length: 7 }, (_, at) => ({ title: `long ${at}`, color: '#123456', description }));
    for (const label of labels) await world.call(importGroupRecords, { group_id: from.id, labels: [label] }, internal);
    const pages = (await exported(from, 200)).filter((page) => page.labels);
    expect(pages.map((page) => page.labels?.length)).toEqual([3, 3, 1]);
    expect(await imported(to, pages)).toBe(7);
  });

  it('contains an epic with 10 MB of notes once, over several records', async () => {
    const [from, to, user] = [world.group(), world.group(), world.user()];
    for (const title of ['Before', 'Talked about', 'After'])
      await world.inGroup(createEpic, from, user, Reporter, { title });
    const { items } = await world.inGroup(listEpics, from, user, Reporter, { search: 'Talked' });
    for (let at = 0; at < 12; at += 1) {
      const body = `${at} ${'x'.repeat(900_000)}`;
      await world.inGroup(createEpicNote, from, user, Reporter, { epic_id: items[0]!.id, body });
    }
    const archive = await exported(from, 200);
    for (const page of archive) expect(JSON.stringify(page).length).toBeLessThan(3 * 1024 ** 2);
    expect(await imported(to, archive)).toBe(3);
    expect(await imported(to, archive)).toBe(0);
    const records = (pages: Exported[]) => pages.flatMap(({ epics = [] }) => epics);
    expect(records(archive).flatMap(({ notes }) => notes)).toHaveLength(12);
    expect(JSON.stringify(records(await exported(to, 200))) === JSON.stringify(records(archive))).toBe(true);
    const copies = await world.inGroup(listEpics, to, user, Reporter, { search: 'Talked' });
    expect(copies.items).toMatchObject([{ user_notes_count: 12 }]);
  });

  it('is imported page by page into another group, once', async () => {
    const [from, to, user] = [world.group(), world.group(), world.user()];
    await world.inGroup(createGroupLabel, from, user, Reporter, { name: 'plan', color: '#123456', description: 'x' });
    const dates = { start_date: '2020-01-01', due_date: '2020-02-01' };
    await world.inGroup(createGroupMilestone, from, user, Owner, { title: 'v1', ...dates });
    const child = await world.inGroup(createEpic, from, user, Reporter, { title: 'Child', labels: ['plan'] });
    const parent = await world.inGroup(createEpic, from, user, Reporter, { title: 'Parent' });
    await world.inGroup(updateEpic, from, user, Reporter, { epic_iid: child.iid, parent_id: parent.id });
    await world.inGroup(createEpicNote, from, user, Reporter, { epic_id: child.id, body: 'Remember' });
    const list = { name: 'Plan', list_type: 'label', label_title: 'plan', milestone_title: null, position: 0 } as const;
    const board = { name: 'Board', milestone_title: 'v1', label_titles: ['plan'], lists: [list] };
    await world.call(importGroupRecords, { group_id: from.id, boards: [board] }, internal);

    const archive = await exported(from);
    expect(await imported(to, archive)).toBe(5);
    expect(await imported(to, archive)).toBe(0);

    const labels = await world.inGroup(listGroupLabels, to, user, Reporter, {});
    expect(labels.items).toMatchObject([{ name: 'plan', color: '#123456', description: 'x' }]);
    const milestones = await world.inGroup(listGroupMilestones, to, user, Reporter, {});
    expect(milestones.items).toMatchObject([{ title: 'v1', group_id: to.id, ...dates }]);
    const epics = await world.inGroup(listEpics, to, user, Reporter, { sort: 'asc' });
    expect(epics.items).toMatchObject([
      { title: 'Child', labels: ['plan'], parent_iid: 2, user_notes_count: 1 },
      { title: 'Parent', parent_id: null },
    ]);
    const notes = await world.inGroup(listEpicNotes, to, user, Reporter, { epic_id: epics.items[0]!.id });
    expect(notes.items.map(({ body }) => body)).toEqual(['Remember']);
    expect(await exported(to)).toEqual(
      archive.map((page) => ({ ...page, next_after_id: page.next_after_id === null ? null : expect.any(Number) })),
    );
    expect((await world.inGroup(createEpic, to, user, Reporter, { title: 'Next' })).iid).toBe(3);
  });
});

describe('a page of an import whose group was deleted', () => {
  it('stores nothing', async () => {
    const [group, user] = [world.group(), world.user()];
    await world.inGroup(createGroupLabel, group, user, Reporter, { name: 'plan', color: '#123456' });
    await world.inGroup(createGroupMilestone, group, user, Owner, { title: 'v1' });
    const epic = await world.inGroup(createEpic, group, user, Reporter, { title: 'Epic' });
    await world.inGroup(createEpicNote, group, user, Reporter, { epic_id: epic.id, body: 'Remember' });
    const late = await exported(group);
    late.push({ boards: [{ name: 'Board', milestone_title: null, label_titles: [], lists: [] }], next_after_id: null });
    const left = async () =>
      (await exported(group)).flatMap((page) => exportedKinds.flatMap<unknown>((kind) => page[kind] ?? []));
    expect(await left()).toHaveLength(3);
    await world.service.emit(groupDeleted, { group_id: group.id, full_path: group.fullPath });
    await eventually(async () => (await left()).length === 0, 'the removal');
    expect(await imported(group, late)).toBe(4);
    expect(await left()).toEqual([]);
  });
});

describe('counts of group activity', () => {
  it('count recent records, for members', async () => {
    const [group, member, stranger] = [world.group(), world.user(), world.user()];
    const project = world.project({ groupIds: [group.id] });
    world.join(member, group, Guest);
    world.join(member, project, Guest);
    await world.inProject(createIssue, project, member, Guest, { title: 'New' });
    const old = { title: 'Old', created_at: '2020-01-01T00:00:00Z' };
    await world.inProject(createIssue, project, member, Owner, old);
    const count = (caller: typeof member, group_path = group.fullPath) =>
      world.call(countGroupIssues, { group_path }, { requestId: 'test', caller });
    expect(await count(member)).toEqual({ issues_count: 1 });
    for (const path of [group.fullPath, 'no/such/group']) {
      await expect(count(stranger, path)).rejects.toMatchObject({ value: { code: 'group.not_found' } });
    }
    const open = world.group({ visibility: 'public' });
    await expect(count(stranger, open.fullPath)).rejects.toMatchObject({ value: { code: 'common.forbidden' } });
  });
});
