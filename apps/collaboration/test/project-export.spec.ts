import {
  Access,
  commitDiscussions,
  createApprovalRule,
  createGroupLabel,
  createIssue,
  createIssueDiscussion,
  createIssueLink,
  createIssueNote,
  createIteration,
  createProjectMilestone,
  createProjectSnippet,
  createSnippetNote,
  type EventRecordKind,
  eventfulTypes,
  eventRecordKinds,
  exportProjectRecords,
  getIssue,
  getRawProjectSnippet,
  type InputOf,
  importProjectRecords,
  listApprovalRules,
  listCommitComments,
  listIssueIterationEvents,
  listIssueLabelEvents,
  listIssueLinks,
  listIssueMilestoneEvents,
  listIssueStateEvents,
  listIssueWeightEvents,
  listProjectSnippets,
  listSnippetNotes,
  type NumberedKind,
  numberedKinds,
  type OutputOf,
  type ProjectRecordKind,
  type ProjectRef,
  projectErrors,
  projectRecordKinds,
  projectRefs,
  replyToIssueDiscussion,
  reserveRecordIds,
  resolveProject,
  setIssueIteration,
  updateIssue,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start());

const { Reporter, Developer, Maintainer, None } = Access;
const internal = { requestId: 'test' };

type Page = OutputOf<typeof exportProjectRecords>;
type Records = InputOf<typeof importProjectRecords>;

const isNumbered = (kind: ProjectRecordKind): kind is NumberedKind =>
  (numberedKinds as readonly string[]).includes(kind);
const isOfEvents = (kind: ProjectRecordKind): kind is EventRecordKind => (eventRecordKinds as string[]).includes(kind);
const rowsOf = (page: Records) => projectRecordKinds.flatMap<unknown>((kind) => page[kind] ?? []);
const countOf = (pages: Records[]) => pages.flatMap(rowsOf).length;

/** One record per page by default. */
async function exportedProject(project: ProjectRef, limit = 1): Promise<Records[]> {
  const pages: Records[] = [];
  for (const kind of projectRecordKinds) {
    for (const resource_type of isOfEvents(kind) ? eventfulTypes : (['Issue'] as const)) {
      for (let from: object | null = { after_id: 0 }; from; ) {
        const input = { kind, resource_type, ...from, limit };
        const page: Page = await world.call(exportProjectRecords, input, { ...internal, project });
        const { next_after_id: after_id, next_within_id: within_id, ...records } = page;
        pages.push(records);
        from = after_id === null ? null : { after_id, ...(within_id !== undefined && { within_id }) };
      }
    }
  }
  return pages;
}

type FirstIds = Record<NumberedKind, number>;

async function reserve(): Promise<FirstIds> {
  const taken = numberedKinds.map(async (kind) => {
    const { first_id } = await world.call(reserveRecordIds, { kind, count: 100 }, internal);
    return [kind, first_id] as const;
  });
  return Object.fromEntries(await Promise.all(taken)) as FirstIds;
}

/** Replaces line numbers by ids, as the projects service does. */
function placed(pages: Records[], firstIds: FirstIds): Records[] {
  const ids = new Map<string, number>();
  for (const kind of numberedKinds) {
    const rows = pages.flatMap((page) => (page[kind] as { id: number }[] | undefined) ?? []);
    for (const [at, { id }] of rows.entries()) ids.set(`${kind} ${id}`, firstIds[kind] + at);
  }
  const idOf = (kind: NumberedKind, id: number) => ids.get(`${kind} ${id}`)!;
  return pages.map((page) => {
    const [kind] = Object.keys(page) as [ProjectRecordKind];
    if (!isNumbered(kind)) return page;
    if (kind !== 'notes')
      return { [kind]: (page[kind] as { id: number }[]).map((row) => ({ ...row, id: idOf(kind, row.id) })) };
    const notes = page.notes?.map((note) => ({
      ...note,
      id: idOf('notes', note.id),
      discussion_id: note.discussion_id === null ? null : idOf('notes', note.discussion_id),
      ...(note.noteable_type === 'Snippet' && { noteable_iid: idOf('snippets', note.noteable_iid) }),
      // Identified by its sha.
      ...(note.noteable_type === 'Commit' && { noteable_iid: 1 }),
    }));
    return { notes };
  });
}

async function imported(project: ProjectRef, pages: Records[]): Promise<number> {
  let total = 0;
  for (const records of pages)
    total += (await world.call(importProjectRecords, records, { ...internal, project })).created;
  return total;
}

/** A merge request from a fork, and one with its own branches. */
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

function answerForProjects(): void {
  const seenBy = (project: ProjectRef, userId: number | null) => ({
    ...project,
    accessLevel: world.levelOf(userId, project.id),
  });
  world.service.respond(projectRefs, ({ ids, user_id }) =>
    ids.flatMap((id) => {
      const project = world.projects.get(id);
      return project ? [seenBy(project, user_id)] : [];
    }),
  );
  world.service.respond(resolveProject, ({ project, user_id }) => {
    const found = world.projects.get(Number(project));
    return found ? { project: seenBy(found, user_id), redirected: false } : projectErrors.notFound();
  });
}

/** The maximum length of titles, in characters that JavaScript counts twice. */
const long = '🏗'.repeat(255);

/** A project of a group with all kinds of records of this service in an archive. */
async function fullProject() {
  answerForProjects();
  const [group, user] = [world.group(), world.user()];
  const project = world.project({ groupIds: [group.id] });
  world.join(user, project, Developer);
  world.join(user, group, Developer);
  const by = { group, user, project };
  await world.inGroup(createGroupLabel, group, user, Reporter, { name: 'above', color: '#123456' });
  const first = await world.inProject(createIssue, project, user, Reporter, {
    ...{ title: 'One', labels: ['above', 'own'], weight: 2 },
  });
  const second = await world.inProject(createIssue, project, user, Reporter, { title: 'Two' });
  const elsewhere = world.project();
  world.join(user, elsewhere, Developer);
  const away = await world.inProject(createIssue, elsewhere, user, Reporter, { title: 'Elsewhere' });
  const on = { issue_iid: first.iid };
  await world.inProject(createIssueNote, project, user, Reporter, { ...on, body: 'first' });
  const begun = await world.inProject(createIssueDiscussion, project, user, Reporter, { ...on, body: 'begun' });
  const answer = { ...on, body: 'answered', discussion_id: (begun as { id: string }).id };
  await world.inProject(replyToIssueDiscussion, project, user, Reporter, answer);
  for (const target of [second, away]) {
    const wanted = { target_project_id: String(target.project_id), target_issue_iid: target.iid };
    await world.inProject(createIssueLink, project, user, Reporter, { ...on, ...wanted, link_type: 'blocks' });
  }
  const milestone = await world.inProject(createProjectMilestone, project, user, Developer, { title: long });
  await world.inProject(updateIssue, project, user, Reporter, { ...on, milestone_id: milestone.id, weight: 5 });
  await world.inProject(updateIssue, project, user, Reporter, { ...on, remove_labels: ['own'], state_event: 'close' });
  const days = { start_date: '2026-03-02', due_date: '2026-03-08' };
  const iteration = await world.inGroup(createIteration, group, user, Reporter, { ...days, title: long });
  await world.inProject(setIssueIteration, project, user, Reporter, { ...on, iteration_id: iteration.id });
  const snippet = await world.inProject(createProjectSnippet, project, user, Reporter, {
    ...{ title: 'S', visibility: 'internal', files: [{ file_path: 'a/b.txt', content: 'text' }] },
  });
  await world.inProject(createSnippetNote, project, user, Reporter, { snippet_id: snippet.id, body: 'nice' });
  const sha = 'c'.repeat(40);
  world.commits.set(sha, { title: 'Turn', parents: [] });
  await world.inProject(commitDiscussions.create, project, user, Reporter, { sha, body: 'why?' });
  const rule = { name: 'Owners', approvals_required: 2, user_ids: [user.id], group_ids: [group.id] };
  await world.inProject(createApprovalRule, project, user, Maintainer, rule);
  const list = { list_type: 'label', label_title: 'own', milestone_title: null, position: 0 } as const;
  const board = { name: 'Board', milestone_title: long, label_titles: ['above'], lists: [list] };
  await imported(project, [{ boards: [board] }]);
  const [ofProject] = (await exportedProject(project)).flatMap(({ approval_settings = [] }) => approval_settings);
  const own = [{ ...ofProject!.rules[0]!, approvals_required: 1, comes_from: 'Owners' }];
  await imported(project, [{ merge_requests: [requestOf(4, { approval_rules: own })] }]);
  return { ...by, first, second, sha, iteration };
}

describe('a project export', () => {
  it('is imported into another project, once, with the same content', async () => {
    const { group, user, project, first, second, sha, iteration } = await fullProject();
    const to = world.project({ groupIds: [group.id] });
    world.join(user, to, Developer);
    const archive = await exportedProject(project);
    for (const kind of projectRecordKinds) {
      // At least one of each kind, otherwise the test shows little.
      expect([kind, countOf(archive.flatMap((page) => (page[kind] ? [page] : []))) > 0]).toEqual([kind, true]);
    }
    const late = placed(archive, await reserve());
    // The label and the milestone of the group exist already.
    expect(await imported(to, late)).toBe(countOf(archive) - 1);
    expect(await imported(to, late)).toBe(0);
    const plain = (pages: Records[], firstIds: FirstIds) =>
      placed(pages, firstIds).filter((page) => rowsOf(page).length);
    const none = Object.fromEntries(numberedKinds.map((kind) => [kind, 1])) as FirstIds;
    expect(plain(await exportedProject(to), none)).toEqual(plain(archive, none));
    expect(plain(await exportedProject(to, 200), none).flatMap(rowsOf)).toEqual(plain(archive, none).flatMap(rowsOf));

    const on = { issue_iid: first.iid };
    const items = async <T>(list: Promise<unknown>) => ((await list) as { items: T[] }).items;
    const issue = await world.inProject(getIssue, to, user, Reporter, on);
    expect(issue).toMatchObject({
      ...{ title: 'One', labels: ['above'], weight: 5, merge_requests_count: 1, state: 'closed' },
      ...{ iteration: { id: iteration.id } },
    });
    expect(await items(world.inProject(listIssueLinks, to, user, Reporter, on))).toMatchObject([
      { iid: second.iid, link_type: 'blocks' },
    ]);
    expect(await items(world.inProject(listIssueLabelEvents, to, user, Reporter, on))).toMatchObject([
      { action: 'add', label: { name: 'above' }, user: { id: user.id } },
      { action: 'add', label: { name: 'own' } },
      { action: 'remove', label: { name: 'own' } },
    ]);
    expect(await items(world.inProject(listIssueMilestoneEvents, to, user, Reporter, on))).toMatchObject([
      { action: 'add', milestone: { title: long, project_id: to.id } },
    ]);
    expect(await items(world.inProject(listIssueStateEvents, to, user, Reporter, on))).toMatchObject([
      { state: 'closed' },
    ]);
    expect(await items(world.inProject(listIssueWeightEvents, to, user, Reporter, on))).toMatchObject([
      { weight: 2 },
      { weight: 5 },
    ]);
    expect(await items(world.inProject(listIssueIterationEvents, to, user, Reporter, on))).toMatchObject([
      { action: 'add', iteration: { id: iteration.id } },
    ]);
    const [snippet] = await items<{ id: number }>(world.inProject(listProjectSnippets, to, user, Reporter, {}));
    const named = { snippet_id: snippet!.id };
    expect(snippet).toMatchObject({ title: 'S', visibility: 'internal', files: [{ path: 'a/b.txt' }] });
    const raw = await world.inProject(getRawProjectSnippet, to, user, Reporter, named);
    expect(await (await fetch(raw.url)).text()).toBe('text');
    expect(await items(world.inProject(listSnippetNotes, to, user, Reporter, named))).toMatchObject([{ body: 'nice' }]);
    expect(await items(world.inProject(listCommitComments, to, user, None, { sha }))).toMatchObject([{ note: 'why?' }]);
    expect(await world.inProject(listApprovalRules, to, user, Developer, {})).toMatchObject([
      { name: 'Owners', approvals_required: 2, users: [{ id: user.id }], groups: [{ id: group.id }] },
    ]);
    const next = await world.inProject(createIssue, to, user, Reporter, { title: 'Next' });
    expect(next.iid).toBe(second.iid + 1);
  });

  it('omits references to missing records', async () => {
    const { user, project } = await fullProject();
    const [to, other] = [world.project(), world.project()];
    const archive = placed(await exportedProject(project), await reserve());
    const late = archive.filter(({ issues, merge_requests, snippets, commits }) => {
      return !(issues || merge_requests || snippets || commits);
    });
    const hanging = late.filter(
      (page) => eventRecordKinds.some((kind) => page[kind]) || page.issue_links || page.notes,
    );
    expect(await imported(to, hanging)).toBe(0);
    // Snippets of other projects cannot be reached by id.
    await imported(other, archive);
    const [note] = archive.flatMap(({ notes = [] }) => notes.filter((one) => one.noteable_type === 'Snippet'));
    expect(await imported(to, [{ notes: [note!] }])).toBe(0);
    // Groups and iterations that the project does not share are left out.
    expect(await world.inProject(listApprovalRules, other, user, Developer, {})).toMatchObject([
      { name: 'Owners', rule_type: 'regular', groups: [], approvals_required: 2 },
    ]);
    expect(await world.inProject(getIssue, other, user, Reporter, { issue_iid: 1 })).toMatchObject({ iteration: null });
  });

  it('is refused with two open merge requests of the same branches, and may have any number from forks', async () => {
    answerForProjects();
    const [one, other] = [world.project(), world.project()];
    const twice = { merge_requests: [requestOf(1), requestOf(2)] };
    await expect(world.call(importProjectRecords, twice, { ...internal, project: one })).rejects.toMatchObject({
      value: { code: 'common.invalid_record' },
    });
    const forks = { merge_requests: [1, 2].map((iid) => requestOf(iid, { is_own_source: false })) };
    expect(await world.call(importProjectRecords, forks, { ...internal, project: other })).toEqual({ created: 2 });
  });

  it('stores nothing if its project was deleted before', async () => {
    const { project } = await fullProject();
    const gone = world.project();
    const archive = placed(await exportedProject(project), await reserve());
    world.projects.delete(gone.id);
    for (const page of archive)
      await expect(imported(gone, [page])).rejects.toMatchObject({ value: { code: 'project.not_found' } });
    expect(countOf(await exportedProject(gone))).toBe(0);
  });
});
