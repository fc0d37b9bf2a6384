import {
  Access,
  createIssueTodo,
  type EventInput,
  getIssue,
  Issue,
  issueChanged,
  listProjectMergeRequests,
  listTodos,
  MergeRequest,
  markAllTodosDone,
  markTodoDone,
  mergeRequestChanged,
  Note,
  noteCreated,
  noteDeleted,
  type ProjectRef,
  pipelineChanged,
  projectDeleted,
  userDeleted,
} from '@moothall/contracts';
import { eventually, shareBetweenTests, uniqueId } from '@moothall/testing';
import { FeedWorld } from './feed-world';
import { viewOf } from './views';

const world = shareBetweenTests(() => FeedWorld.start());
const at = '2026-11-20T10:00:00.000Z';
const sha = 'a'.repeat(40);

type Person = ReturnType<typeof world.user>;
type IssueFacts = EventInput<typeof issueChanged>['issue'];

const open = () => {
  const [project, ann, ben] = [world.project({ visibility: 'public' }), world.user(), world.user()];
  world.join(ann, project, Access.Developer);
  return { project, ann, ben };
};

function issueIn(
  project: ProjectRef,
  author: Person,
  over: Partial<IssueFacts> = {},
  ...hiddenFrom: Person[]
): IssueFacts {
  const id = uniqueId();
  world.show('issues', { ...viewOf(Issue), id, title: 'Crane', web_url: 'http://m/i' } as never, ...hiddenFrom);
  return {
    ...{ id, iid: 4, project_id: project.id, title: 'Crane', description: null, state: 'opened', confidential: false },
    ...{ author_id: author.id, assignee_ids: [], label_ids: [], milestone_id: null, due_date: null, weight: null },
    ...{ created_at: at, updated_at: at, ...over },
  };
}

const tell = (
  action: EventInput<typeof issueChanged>['action'],
  by: Person,
  issue: IssueFacts,
  before?: Partial<IssueFacts>,
) => world.service.emit(issueChanged, { action, user_id: by.id, issue, ...(before && { before }) });

async function comment(project: ProjectRef, issue: IssueFacts, by: Person, body: string, ...hiddenFrom: Person[]) {
  const note = { ...viewOf(Note), id: uniqueId(), body, noteable_title: 'Crane' };
  world.show('notes', note, ...hiddenFrom);
  await world.service.emit(noteCreated, {
    ...{ project_id: project.id, group_id: null },
    note: {
      ...{ id: note.id, body, author_id: by.id, noteable_type: 'Issue', noteable_id: issue.id, noteable_iid: 4 },
      ...{ confidential: false, created_at: at },
    },
  });
  return note.id;
}

const todosOf = async (who: Person, input: object = {}) => (await world.ask(listTodos, who, input)).items;
const actionsOf = async (who: Person, input: object = {}) =>
  (await todosOf(who, input)).map(({ action_name }) => action_name);
const has = (who: Person, ...actions: string[]) =>
  eventually(async () => (await actionsOf(who)).join() === actions.join(), `the todos ${actions} of ${who.username}`);

describe('todos', () => {
  it('are created for assignees, also if they assign themselves', async () => {
    const { project, ann, ben } = open();
    const issue = issueIn(project, ann, { assignee_ids: [ben.id, ann.id] });
    await tell('open', ann, issue);
    const [todo] = await eventually(async () => {
      const found = await todosOf(ben);
      return found.length === 1 ? found : undefined;
    });
    expect(todo).toMatchObject({
      ...{ action_name: 'assigned', target_type: 'Issue', state: 'pending', body: 'Crane', target_url: 'http://m/i' },
      ...{ project: { id: project.id, path_with_namespace: project.fullPath }, author: { id: ann.id } },
      target: { id: issue.id, title: 'Crane' },
    });
    await has(ann, 'assigned');
    const third = world.user();
    await tell('update', ann, { ...issue, assignee_ids: [third.id] }, { assignee_ids: [ben.id, ann.id] });
    await has(third, 'assigned');
    // A user who acts has seen it.
    expect(await actionsOf(ann)).toEqual([]);
    expect(await actionsOf(ann, { state: 'done' })).toEqual(['assigned']);
    expect(await actionsOf(ben)).toEqual(['assigned']);
  });

  it('are created for mentioned users, and not for the author', async () => {
    const { project, ann, ben } = open();
    const eve = world.user();
    const description = `@${ann.username}, @${ben.username}: what does @${eve.username} say?`;
    const issue = issueIn(project, ann, { description });
    await tell('open', ann, issue);
    await has(ben, 'directly_addressed');
    await has(eve, 'mentioned');
    expect(await actionsOf(ann)).toEqual([]);
    const last = world.user();
    const now = { ...issue, description: `${description} @${last.username}` };
    await tell('update', ann, now, { description });
    await has(last, 'mentioned');
    // One pending to-do is enough.
    await comment(project, issue, ann, `@${ben.username} well?`);
    const noted = world.user();
    const note = await comment(project, issue, ann, `And @${noted.username}?`);
    await has(noted, 'mentioned');
    expect(await actionsOf(ben)).toEqual(['directly_addressed']);
    const [todo] = await todosOf(noted);
    expect(todo).toMatchObject({ body: `And @${noted.username}?`, target_url: `http://m/i#note_${note}` });
    await comment(project, issue, ben, 'Fine');
    await has(ben);
    await world.service.emit(noteDeleted, { project_id: project.id, group_id: null, user_id: ann.id, note_id: note });
    await has(noted);
  });

  it('are not created for users who may not read the target, nor for blocked users', async () => {
    const { project, ann, ben } = open();
    const [blocked, seeing] = [world.user(), world.user()];
    world.blocked.add(blocked.id);
    const issue = issueIn(project, ann, { assignee_ids: [ben.id, blocked.id, seeing.id] }, ben);
    await tell('open', ann, issue);
    await has(seeing, 'assigned');
    expect(await actionsOf(ben)).toEqual([]);
    world.blocked.clear();
    expect(await actionsOf(blocked)).toEqual([]);
    const note = await comment(project, issue, ann, `@${ben.username} @${seeing.username}`, ben);
    expect(note).toBeGreaterThan(0);
    // A record that they can no longer read is not shown, although it exists.
    world.show('issues', { ...viewOf(Issue), id: issue.id } as never, seeing);
    expect(await actionsOf(seeing)).toEqual([]);
    const hidden = { ...project, visibility: 'private' as const };
    world.replace(hidden);
    expect((await world.ask(listTodos, seeing, {})).total).toBe(0);
  });

  it('are created for reviewers, and for the author when the pipeline fails', async () => {
    const { project, ann, ben } = open();
    const request = {
      ...viewOf(MergeRequest),
      id: uniqueId(),
      title: 'Lift',
      sha,
      author: person(ann),
    };
    world.show('merge_requests', request);
    world.service.respond(listProjectMergeRequests, () => ({ items: [request] }) as never);
    await world.service.emit(mergeRequestChanged, {
      ...{ action: 'open', user_id: ann.id },
      merge_request: {
        ...{ id: request.id, iid: 1, project_id: project.id, source_project_id: project.id, source_branch: 'lift' },
        ...{ target_branch: 'main', title: 'Lift', description: null, state: 'opened', merge_status: 'unchecked' },
        ...{ work_in_progress: false, author_id: ann.id, assignee_ids: [], reviewer_ids: [ben.id], label_ids: [] },
        ...{ milestone_id: null, head_sha: sha, merge_commit_sha: null, created_at: at, updated_at: at },
      },
    });
    await has(ben, 'review_requested');
    const pipeline = (status: 'failed' | 'running', ref = 'lift', of = sha) =>
      world.service.emit(pipelineChanged, {
        ...{ project_id: project.id, pipeline_id: 1, ref, tag: false, sha: of, user_id: ann.id, iid: 1 },
        ...{ before_sha: sha, source: 'push', status, stages: [], created_at: at, finished_at: null, duration: null },
      });
    await pipeline('failed', 'lift', 'b'.repeat(40));
    await pipeline('failed');
    await has(ann, 'build_failed');
    await pipeline('running');
    await has(ann);
  });

  it('are marked as done, one or all, and only by their user', async () => {
    const { project, ann, ben } = open();
    for (let at = 0; at < 3; at++) await tell('open', ann, issueIn(project, ann, { assignee_ids: [ben.id] }));
    await has(ben, 'assigned', 'assigned', 'assigned');
    const [first] = await todosOf(ben);
    const { id } = first!;
    await expect(world.ask(markTodoDone, ann, { id })).rejects.toMatchObject({ code: 'todo.not_found' });
    expect(await world.ask(markTodoDone, ben, { id })).toMatchObject({ id, state: 'done' });
    expect(await world.ask(markTodoDone, ben, { id })).toMatchObject({ id, state: 'done' });
    expect(await todosOf(ben)).toHaveLength(2);
    await world.ask(markAllTodosDone, ben, {});
    expect(await todosOf(ben)).toEqual([]);
    expect(await todosOf(ben, { state: 'done' })).toHaveLength(3);
    expect(
      await todosOf(ben, { state: 'done', project_id: project.id, author_id: ann.id, type: 'Issue' }),
    ).toHaveLength(3);
    expect(await todosOf(ben, { state: 'done', group_id: 1, action: 'assigned' })).toHaveLength(3);
    for (const input of [
      { project_id: 1 },
      { author_id: ben.id },
      { type: 'MergeRequest' },
      { group_id: 2 },
      { action: 'marked' },
    ])
      expect(await todosOf(ben, { state: 'done', ...input })).toEqual([]);
  });

  it('are created once on request', async () => {
    const { project, ann } = open();
    const issue = issueIn(project, ann);
    world.service.respond(getIssue, () => ({ ...viewOf(Issue), id: issue.id }) as never);
    const mark = () => world.inProject(createIssueTodo, project, ann, { issue_iid: 4 });
    const made = await Promise.all([mark(), mark(), mark()]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(await actionsOf(ann)).toEqual(['marked']);
    await world.ask(markTodoDone, ann, { id: made[0]!.id });
    await has(ann);
    const again = await mark();
    expect(again.id).not.toBe(made[0]!.id);
  });

  it('are deleted with their target, and with their users', async () => {
    const [{ project, ann, ben }, other] = [open(), open()];
    const [one, two] = [issueIn(project, ann, { assignee_ids: [ben.id] }), issueIn(other.project, ann)];
    await tell('open', ann, one);
    await tell('open', ann, { ...two, assignee_ids: [ben.id] });
    await has(ben, 'assigned', 'assigned');
    await tell('delete', ann, one);
    await has(ben, 'assigned');
    await world.service.emit(projectDeleted, { project_id: other.project.id, full_path: 'x', storage: 'default' });
    await has(ben);
    await tell('open', ann, issueIn(project, ann, { assignee_ids: [ben.id] }));
    await has(ben, 'assigned');
    await world.service.emit(userDeleted, { user_id: ann.id, username: 'x', hard_delete: false, ghost_user_id: 1 });
    await has(ben);
  });
});

const person = ({ id, username, name }: Person) => ({
  ...{ id, username, name, state: 'active', avatar_url: null, web_url: `http://moothall.test/${username}` },
});
