import {
  Access,
  type EventInput,
  Issue,
  issueChanged,
  listOwnEvents,
  listProjectEvents,
  listUserEvents,
  MergeRequest,
  memberChanged,
  mergeRequestChanged,
  milestoneChanged,
  milestoneDeleted,
  Note,
  noteCreated,
  noteDeleted,
  type ProjectRef,
  projectChanged,
  projectDeleted,
  pushReceived,
  userDeleted,
  wikiPageChanged,
} from '@moothall/contracts';
import { eventually, shareBetweenTests, uniqueId } from '@moothall/testing';
import { RecordActivities } from '../src/feed/record-activities';
import { FeedWorld } from './feed-world';
import { viewOf } from './views';

const world = shareBetweenTests(() => FeedWorld.start());
const { Guest, Reporter } = Access;
const at = '2026-11-20T10:00:00.000Z';
const sha = 'a'.repeat(40);
const none = '0'.repeat(40);

type Person = ReturnType<typeof world.user>;

const issueOf = (project: ProjectRef, author: Person, over: object = {}) => ({
  ...{ id: uniqueId(), iid: 4, project_id: project.id, title: 'Crane', description: null, state: 'opened' as const },
  ...{ confidential: false, author_id: author.id, assignee_ids: [], label_ids: [], milestone_id: null },
  ...{ due_date: null, weight: null, created_at: at, updated_at: at, ...over },
});

const showIssue = (issue: { id: number }, title: string, ...hiddenFrom: Person[]) =>
  world.show('issues', viewOf(Issue, { id: issue.id, title }), ...hiddenFrom);

const tellIssue = (action: EventInput<typeof issueChanged>['action'], author: Person, issue: object) =>
  world.service.emit(issueChanged, { action, user_id: author.id, issue: issue as never });

const tellRequest = (
  action: EventInput<typeof mergeRequestChanged>['action'],
  author: Person,
  request: { id: number; iid: number; project_id: number },
) =>
  world.service.emit(mergeRequestChanged, {
    ...{ action, user_id: author.id },
    merge_request: {
      ...{ ...request, source_project_id: request.project_id, source_branch: 'b', target_branch: 'main' },
      ...{ title: 'Merge', description: null, state: 'opened', merge_status: 'unchecked', work_in_progress: false },
      ...{ author_id: author.id, assignee_ids: [], label_ids: [], milestone_id: null, head_sha: sha },
      ...{ merge_commit_sha: null, created_at: at, updated_at: at },
    },
  });

const ofProject = async (project: ProjectRef, caller: Person | undefined, input: object = {}) =>
  (await world.inProject(listProjectEvents, project, caller, input)).items;
const names = (items: { action_name: string; target_title: string | null }[]) =>
  items.map((item) => `${item.action_name} ${item.target_title}`);

const open = () => {
  const [project, ann] = [world.project({ visibility: 'public' }), world.user()];
  world.join(ann, project, Reporter);
  return { project, ann };
};

describe('the activity of a project', () => {
  it('is listed with its author, newest first', async () => {
    const { project, ann } = open();
    const issue = issueOf(project, ann);
    showIssue(issue, 'Crane, renamed since');
    await tellIssue('open', ann, issue);
    await tellIssue('update', ann, issue);
    await tellIssue('close', ann, issue);
    await tellIssue('reopen', ann, issue);
    const items = await eventually(async () => {
      const found = await ofProject(project, undefined);
      return found.length === 3 ? found : undefined;
    });
    expect(items.map(({ action_name }) => action_name).sort()).toEqual(['closed', 'opened', 'opened']);
    expect(items[0]).toMatchObject({
      ...{ project_id: project.id, target_id: issue.id, target_iid: 4, target_type: 'Issue' },
      ...{ target_title: 'Crane, renamed since', author_id: ann.id, author_username: ann.username },
      ...{ author: { id: ann.id, web_url: `http://moothall.test/${ann.username}` }, imported: false },
    });
    expect(names(await ofProject(project, ann, { action: 'reopened' }))).toEqual(['opened Crane, renamed since']);
    expect(await ofProject(project, ann, { target_type: 'merge_request' })).toEqual([]);
    const days = items.map(({ created_at }) => created_at);
    expect(days).toEqual([...days].sort().reverse());
    const oldestFirst = await ofProject(project, ann, { sort: 'asc' });
    expect(oldestFirst.map(({ id }) => id)).toEqual(items.map(({ id }) => id).reverse());
  });

  it('is listed by day', async () => {
    const { project, ann } = open();
    await world.service.emit(projectChanged, {
      ...{ project_id: project.id, full_path: project.fullPath, change: 'created', actor_id: ann.id },
    });
    const made = await eventually(async () => (await ofProject(project, ann))[0]);
    const dayFrom = (days: number) =>
      new Date(Date.parse(made.created_at) + days * 86_400_000).toISOString().slice(0, 10);
    const count = async (input: object) => (await ofProject(project, ann, input)).length;
    expect(await count({ after: dayFrom(-1), before: dayFrom(1) })).toBe(1);
    expect(await count({ before: dayFrom(0) })).toBe(0);
    expect(await count({ after: dayFrom(0) })).toBe(0);
  });

  it('contains pushes, comments, members, milestones, wiki pages and the project itself', async () => {
    const { project, ann } = open();
    const user = { id: ann.id, username: ann.username, name: 'Ann', email: 'ann@example.com' };
    const push = { project_id: project.id, user, message: null, default_branch: 'main', total_commits_count: 2 };
    const commit = { id: sha, title: 'Lift', message: 'Lift', timestamp: at, url: 'http://moothall.test/c' };
    const commits = [{ ...commit, author: user, added: [], modified: [], removed: [] }];
    const to = { ref: 'refs/heads/main', ref_type: 'branch', before: none, after: sha, checkout_sha: sha } as const;
    await world.service.emit(pushReceived, { ...push, ...to, commits });
    const tag = { ref: 'refs/tags/v1', ref_type: 'tag', before: sha, after: none, checkout_sha: null } as const;
    await world.service.emit(pushReceived, { ...push, ...tag, commits: [], total_commits_count: 0 });
    await world.service.emit(pushReceived, { ...push, ...to, user: null, commits });
    const note = {
      ...viewOf(Note),
      id: uniqueId(),
      body: 'Slower!',
      type: 'DiscussionNote',
      noteable_title: 'Crane',
    };
    world.show('notes', note);
    await world.service.emit(noteCreated, {
      ...{ project_id: project.id, group_id: null },
      note: {
        ...{ id: note.id, body: 'Slower!', author_id: ann.id, noteable_type: 'Issue', noteable_id: 9, noteable_iid: 1 },
        ...{ confidential: false, created_at: at, discussion_id: note.id },
      },
    });
    const member = { source_type: 'project', source_id: project.id, user_id: ann.id } as const;
    await world.service.emit(memberChanged, { ...member, access_level: 40, action: 'add' });
    await world.service.emit(memberChanged, { ...member, access_level: 30, action: 'add', actor_id: 1 });
    await world.service.emit(memberChanged, { ...member, access_level: null, action: 'remove' });
    const milestone = { id: uniqueId(), iid: 1, project_id: project.id, group_id: null, title: 'v1', state: 'active' };
    const toMilestone = { user_id: ann.id, milestone: milestone as never };
    await world.service.emit(milestoneChanged, { action: 'create', ...toMilestone });
    await world.service.emit(milestoneChanged, { action: 'close', ...toMilestone });
    await world.service.emit(wikiPageChanged, {
      ...{ project_id: project.id, user, action: 'create', slug: 'home', title: 'Home', format: 'markdown' },
      ...{ content: '', message: '', version_id: sha },
    });
    await world.service.emit(projectChanged, {
      ...{ project_id: project.id, full_path: project.fullPath, change: 'created', actor_id: ann.id },
    });
    const items = await eventually(async () => {
      const found = await ofProject(project, ann);
      return found.length === 9 ? found : undefined;
    });
    expect(names(items).sort()).toEqual([
      'closed v1',
      'commented on Crane',
      'created Home',
      `created ${project.name}`,
      'deleted null',
      'joined null',
      'left null',
      'opened v1',
      'pushed new null',
    ]);
    const named = (name: string) => items.find(({ action_name }) => action_name === name);
    expect(named('pushed new')?.push_data).toEqual({
      ...{ commit_count: 2, action: 'created', ref_type: 'branch', commit_from: null, commit_to: sha, ref: 'main' },
      ...{ commit_title: 'Lift', ref_count: null },
    });
    expect(named('deleted')?.push_data).toMatchObject({ action: 'removed', ref: 'v1', commit_to: null });
    expect(named('commented on')).toMatchObject({ target_type: 'DiscussionNote', note: { body: 'Slower!' } });
    expect(items.find(({ wiki_page }) => wiki_page)?.wiki_page).toEqual({
      ...{ format: 'markdown', slug: 'home', title: 'Home' },
    });

    const count = async () => (await ofProject(project, ann)).length;
    await world.service.emit(noteDeleted, {
      project_id: project.id,
      group_id: null,
      user_id: ann.id,
      note_id: note.id,
    });
    await world.service.emit(milestoneDeleted, { milestone_id: milestone.id });
    await eventually(async () => (await count()) === 6);
    await world.service.emit(projectDeleted, { project_id: project.id, full_path: 'x', storage: 'default' });
    await eventually(async () => (await count()) === 0);
  });

  it('is listed once if its event arrives twice', async () => {
    const { project, ann } = open();
    const issue = issueOf(project, ann);
    showIssue(issue, 'Crane');
    await tellIssue('open', ann, issue);
    await eventually(async () => (await ofProject(project, ann)).length === 1);
    const recorder = world.service.running.app.get(RecordActivities, { strict: false });
    const event = world.service.events(issueChanged).find(({ data }) => data.issue.id === issue.id)!;
    await Promise.all([recorder.ofIssue(event), recorder.ofIssue(event)]);
    expect(await ofProject(project, ann)).toHaveLength(1);
    await tellIssue('delete', ann, issue);
    await eventually(async () => (await ofProject(project, ann)).length === 0);
  });
});

it('lists approvals, but not revoked ones', async () => {
  const { project, ann } = open();
  const request = { id: uniqueId(), iid: 1, project_id: project.id };
  world.show('merge_requests', viewOf(MergeRequest, { id: request.id, title: 'Merge' }));
  for (const action of ['approval', 'unapproval', 'approved', 'unapproved', 'close'] as const)
    await tellRequest(action, ann, request);
  await eventually(async () => (await ofProject(project, ann)).length === 3, 'the events');
  const actions = (await ofProject(project, ann)).map(({ action_name }) => action_name);
  expect(actions.sort()).toEqual(['approved', 'approved', 'closed']);
});

describe('activities that a caller may not see', () => {
  it('counts a note on a confidential issue only for its readers', async () => {
    const [project, ann, assignee, guest, reporter] = [
      world.project(),
      ...[world.user(), world.user(), world.user(), world.user()],
    ] as const;
    for (const person of [assignee, guest]) world.join(person, project, Guest);
    world.join(reporter, project, Reporter);
    const note = { ...viewOf(Note), id: uniqueId(), noteable_title: 'Hidden' };
    world.show('notes', note);
    await world.service.emit(noteCreated, {
      ...{ project_id: project.id, group_id: null },
      note: {
        ...{ id: note.id, body: 'x', author_id: ann.id, noteable_type: 'Issue', noteable_id: uniqueId() },
        ...{ noteable_iid: 1, confidential: false, insider_ids: [ann.id, assignee.id], created_at: at },
      },
    });
    const totalFor = async (caller: Person) => (await world.inProject(listProjectEvents, project, caller)).total;
    await eventually(async () => (await totalFor(reporter)) === 1);
    expect([await totalFor(assignee), await totalFor(guest)]).toEqual([1, 0]);
  });

  it('is in no list: confidential issues, closed features, code of private projects', async () => {
    const [project, ann, guest, reporter] = [world.project(), world.user(), world.user(), world.user()];
    world.join(guest, project, Guest);
    world.join(reporter, project, Reporter);
    const [plain, hidden] = [issueOf(project, ann), issueOf(project, ann, { confidential: true })];
    showIssue(plain, 'Plain');
    showIssue(hidden, 'Hidden');
    await tellIssue('open', ann, plain);
    await tellIssue('open', ann, hidden);
    const request = { id: uniqueId(), iid: 1, project_id: project.id };
    world.show('merge_requests', viewOf(MergeRequest, { id: request.id, title: 'Merge' }));
    await tellRequest('open', ann, request);
    const titles = async (caller: Person | undefined, where = project) =>
      (await ofProject(where, caller)).map(({ target_title }) => target_title).sort();
    await eventually(async () => (await titles(reporter)).length === 3);
    expect(await titles(reporter)).toEqual(['Hidden', 'Merge', 'Plain']);
    expect(await titles(guest)).toEqual(['Plain']);
    const page = await world.inProject(listProjectEvents, project, guest);
    expect(page.total).toBe(1);
    const closed = { ...project, features: { ...project.features, issues: 'disabled' as const } };
    expect(await titles(reporter, closed)).toEqual(['Merge']);
    // Other users see the activities of an author as far as they may.
    const byAnn = async (caller: Person | undefined) =>
      (await world.ask(listUserEvents, caller, { id: ann.username })).items.map(({ target_title }) => target_title);
    expect((await byAnn(reporter)).sort()).toEqual(['Hidden', 'Merge', 'Plain']);
    expect(await byAnn(guest)).toEqual(['Plain']);
    expect(await byAnn(world.user())).toEqual([]);
    expect(await byAnn(undefined)).toEqual([]);
  });

  it('is hidden if its owner hides it now', async () => {
    const { project, ann } = open();
    const issue = issueOf(project, ann);
    const other = world.user();
    showIssue(issue, 'Crane', other);
    await tellIssue('open', ann, issue);
    await eventually(async () => (await ofProject(project, ann)).length === 1);
    expect(await ofProject(project, other)).toEqual([]);
  });
});

describe('the activity of the caller', () => {
  it('contains only their own, or that of all their projects', async () => {
    const [{ project, ann }, other] = [open(), open()];
    const ben = world.user();
    const [own, others, elsewhere] = [issueOf(project, ann), issueOf(project, ben), issueOf(other.project, ben)];
    for (const [issue, title] of [
      [own, 'Own'],
      [others, 'Other'],
      [elsewhere, 'Else'],
    ] as const)
      showIssue(issue, title);
    await tellIssue('open', ann, own);
    await tellIssue('open', ben, others);
    await tellIssue('open', ben, elsewhere);
    const titles = async (caller: Person, input: object = {}) =>
      (await world.ask(listOwnEvents, caller, input)).items.map(({ target_title }) => target_title).sort();
    await eventually(async () => (await titles(ben)).length === 2);
    await eventually(async () => (await titles(ann)).length === 1);
    expect(await titles(ann)).toEqual(['Own']);
    expect(await titles(ben)).toEqual(['Else', 'Other']);
    expect(await titles(ann, { scope: 'all' })).toEqual(['Other', 'Own']);
    await expect(world.ask(listUserEvents, ann, { id: 'nobody' })).rejects.toMatchObject({ code: 'user.not_found' });
    await world.service.emit(userDeleted, { user_id: ben.id, username: 'x', hard_delete: false, ghost_user_id: 1 });
    await eventually(async () => (await titles(ben)).length === 0);
  });
});
