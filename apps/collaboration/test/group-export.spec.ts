import {
  Access,
  countGroupIssues,
  createEpic,
  createEpicNote,
  createGroupLabel,
  createGroupMilestone,
  createIssue,
  createIssueDiscussion,
  createIssueNote,
  exportedKinds,
  exportGroupRecords,
  exportProjectRecords,
  type GroupRef,
  getIssue,
  groupDeleted,
  importGroupRecords,
  importProjectRecords,
  listEpicNotes,
  listEpics,
  listGroupLabels,
  listGroupMilestones,
  type OutputOf,
  type ProjectRef,
  projectErrors,
  projectRecordKinds,
  replyToIssueDiscussion,
  reserveNoteIds,
  resolveProject,
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
  itWithoutFaults('ends a page where a message would be too long, and loses nothing by it', async () => {
    const [from, to] = [world.group(), world.group()];
    const description = 'x'.repeat(900_000);
    const labels = Array.from({ length: 7 }, (_, at) => ({ title: `long ${at}`, color: '#123456', description }));
    for (const label of labels) await world.call(importGroupRecords, { group_id: from.id, labels: [label] }, internal);
    const pages = (await exported(from, 200)).filter((page) => page.labels);
    expect(pages.map((page) => page.labels?.length)).toEqual([3, 3, 1]);
    expect(await imported(to, pages)).toBe(7);
  });

  it('takes an epic with 10 MB of notes along, over several records, once', async () => {
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

  it('goes page by page into another group, once', async () => {
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

describe('a page of an import that comes after its group was deleted', () => {
  it('leaves nothing', async () => {
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

type ProjectRecords = OutputOf<typeof exportProjectRecords>;

async function exportedProject(project: ProjectRef, limit = 1): Promise<ProjectRecords[]> {
  const pages: ProjectRecords[] = [];
  for (const kind of projectRecordKinds) {
    for (let after_id: number | null = 0; after_id !== null; ) {
      const page: ProjectRecords = await world.call(
        exportProjectRecords,
        { kind, after_id, limit },
        { ...internal, project },
      );
      pages.push(page);
      after_id = page.next_after_id;
    }
  }
  return pages;
}

async function importedProject(project: ProjectRef, pages: ProjectRecords[], firstNoteId: number): Promise<number> {
  let total = 0;
  const first = Math.min(...pages.flatMap(({ notes = [] }) => notes.map(({ id }) => id)));
  const place = (id: number) => id - first + firstNoteId;
  for (const { next_after_id: _, ...records } of pages) {
    const notes = records.notes?.map((note) => ({
      ...{ ...note, id: place(note.id), discussion_id: note.discussion_id === null ? null : place(note.discussion_id) },
    }));
    const input = { ...records, ...(notes && { notes }) };
    const { created } = await world.call(importProjectRecords, input, { ...internal, project });
    total += created;
  }
  return total;
}

/** Of a merge request from a fork, and of one whose branches stand for themselves. */
const requestOf = (iid: number, over: object = {}) => ({
  ...{
    iid,
    title: `Draft: ${iid}`,
    description: null,
    author_id: 1,
    assignee_ids: [],
    participant_ids: [],
    label_titles: [],
  },
  ...{ milestone_title: null, confidential: false, discussion_locked: null, time_estimate: 0, time_spent: 0 },
  ...{ user_notes_count: 0, created_at: now, updated_at: now, closed_at: null, closed_by_id: null, state_changes: [] },
  ...{
    awards: [],
    state: 'opened' as const,
    source_branch: 'a',
    target_branch: 'b',
    is_own_source: true,
    reviewer_ids: [],
  },
  ...{
    approvals: [],
    squash: false,
    removes_source_branch: null,
    allows_collaboration: false,
    head_sha: 'a'.repeat(40),
  },
  ...{ base_sha: null, start_sha: null, changes_count: null, closes_issue_iids: [1], merge_commit_sha: null },
  ...{ squash_commit_sha: null, merged_by_id: null, merged_at: null },
  versions: [{ head_sha: 'a'.repeat(40), base_sha: null, start_sha: null, created_at: now }],
  ...over,
});
const now = '2026-01-02T03:04:05.000Z';

describe('a project export', () => {
  const answerForProjects = () =>
    world.service.respond(resolveProject, ({ project }) => {
      const found = world.projects.get(Number(project));
      return found ? { project: { ...found, accessLevel: Access.None }, redirected: false } : projectErrors.notFound();
    });

  it('is taken into another project, once, with the same in it', async () => {
    answerForProjects();
    const [group, user] = [world.group(), world.user()];
    const [from, to] = [world.project({ groupIds: [group.id] }), world.project()];
    await world.inGroup(createGroupLabel, group, user, Reporter, { name: 'above', color: '#123456' });
    const made = await world.inProject(createIssue, from, user, Reporter, { title: 'One', labels: ['above', 'own'] });
    await world.inProject(createIssueNote, from, user, Reporter, { issue_iid: made.iid, body: 'first' });
    const thread = { issue_iid: made.iid, body: 'begun' };
    const begun = await world.inProject(createIssueDiscussion, from, user, Reporter, thread);
    const answer = { issue_iid: made.iid, discussion_id: (begun as { id: string }).id, body: 'answered' };
    await world.inProject(replyToIssueDiscussion, from, user, Reporter, answer);
    await world.call(importProjectRecords, { merge_requests: [requestOf(4)] }, { ...internal, project: from });
    const archive = await exportedProject(from);
    const { first_id } = await world.call(reserveNoteIds, { count: 100 }, internal);
    const count = archive.flatMap((page) => projectRecordKinds.flatMap<unknown>((kind) => page[kind] ?? [])).length;
    expect(await importedProject(to, archive, first_id)).toBe(count);
    expect(await importedProject(to, archive, first_id)).toBe(0);
    const plain = (pages: ProjectRecords[]) =>
      pages.map(({ next_after_id: _, notes, ...page }) => ({
        ...page,
        ...(notes && {
          notes: notes.map(({ id: _, discussion_id, ...note }) => ({ ...note, is_in: discussion_id !== null })),
        }),
      }));
    expect(plain(await exportedProject(to))).toEqual(plain(archive));
    const issue = await world.inProject(getIssue, to, user, Reporter, { issue_iid: made.iid });
    expect(issue).toMatchObject({
      title: 'One',
      labels: ['above', 'own'],
      user_notes_count: 3,
      merge_requests_count: 1,
    });
    const next = await world.inProject(createIssue, to, user, Reporter, { title: 'Next' });
    expect(next.iid).toBe(made.iid + 1);
  });

  it('is refused with two open merge requests of the same branches, and takes any number from forks', async () => {
    answerForProjects();
    const [one, other] = [world.project(), world.project()];
    const twice = { merge_requests: [requestOf(1), requestOf(2)] };
    await expect(world.call(importProjectRecords, twice, { ...internal, project: one })).rejects.toMatchObject({
      value: { code: 'common.invalid_record' },
    });
    const forks = { merge_requests: [1, 2].map((iid) => requestOf(iid, { is_own_source: false })) };
    expect(await world.call(importProjectRecords, forks, { ...internal, project: other })).toEqual({ created: 2 });
  });

  it('leaves nothing where its project was deleted before it came', async () => {
    answerForProjects();
    const [from, gone] = [world.project(), world.project()];
    await world.inProject(createIssue, from, world.user(), Reporter, { title: 'One', labels: ['a'] });
    await world.call(importProjectRecords, { merge_requests: [requestOf(1)] }, { ...internal, project: from });
    const archive = await exportedProject(from);
    world.projects.delete(gone.id);
    await expect(importedProject(gone, archive, 1)).rejects.toMatchObject({ value: { code: 'project.not_found' } });
    const left = await exportedProject(gone);
    expect(left.flatMap((page) => projectRecordKinds.flatMap<unknown>((kind) => page[kind] ?? []))).toEqual([]);
  });
});

describe('counts of group activity', () => {
  it('are of what came lately, for members', async () => {
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
