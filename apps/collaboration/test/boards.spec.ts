import {
  Access,
  type AccessLevel,
  createGroupBoard,
  createGroupBoardList,
  createGroupLabel,
  createProjectBoard,
  createProjectBoardList,
  createProjectLabel,
  createProjectMilestone,
  deleteProjectBoard,
  deleteProjectBoardList,
  deleteProjectLabel,
  deleteProjectMilestone,
  getProjectBoard,
  getProjectBoardList,
  groupDeleted,
  listGroupBoards,
  listProjectBoardLists,
  listProjectBoards,
  moveProjectBoardList,
  type ProjectRef,
  projectChanged,
  promoteLabel,
  updateProjectBoard,
  userDeleted,
} from '@moothall/contracts';
import { eventually, shareBetweenTests } from '@moothall/testing';
import { CollaborationUnderTest } from './collaboration-under-test';

const world = shareBetweenTests(() => CollaborationUnderTest.start({ EDITION: 'enterprise' }));
const community = shareBetweenTests(() => CollaborationUnderTest.start({ EDITION: 'community' }));

const { None, Reporter, Owner } = Access;
const failing = (code: string) => ({ value: expect.objectContaining({ code }) });

const labelOf = async (project: ProjectRef, name: string) =>
  (await world.inProject(createProjectLabel, project, world.user(), Owner, { name, color: '#112233' })).id;

/** A board of a project, with operations on it. */
async function boardIn(project: ProjectRef, input: object = {}, level: AccessLevel = Reporter) {
  const user = world.user();
  const made = await world.inProject(createProjectBoard, project, user, level, { name: 'Work', ...input });
  const on = { board_id: made.id };
  return {
    made,
    on,
    user,
    get: () => world.inProject(getProjectBoard, project, user, None, on),
    add: (of: object) => world.inProject(createProjectBoardList, project, user, level, { ...on, ...of }),
    move: (list_id: number, position: number) =>
      world.inProject(moveProjectBoardList, project, user, level, { ...on, list_id, position }),
    remove: (list_id: number) => world.inProject(deleteProjectBoardList, project, user, level, { ...on, list_id }),
    names: async () => {
      const { items } = await world.inProject(listProjectBoardLists, project, user, None, on);
      expect(items.map(({ position }) => position)).toEqual(items.map((_, at) => at));
      return items.map(({ label, assignee, milestone }) => label?.name ?? assignee?.username ?? milestone?.title);
    },
  };
}

describe('a board of a project', () => {
  it('is created, shown, changed and deleted', async () => {
    const project = world.project();
    const { made, on, user, get } = await boardIn(project);
    expect(made).toEqual({
      id: expect.any(Number),
      name: 'Work',
      hide_backlog_list: false,
      hide_closed_list: false,
      project: expect.objectContaining({ id: project.id, path_with_namespace: project.fullPath }),
      group: null,
      lists: [],
      milestone: null,
      assignee: null,
      labels: [],
      weight: null,
    });
    const milestone = await world.inProject(createProjectMilestone, project, user, Owner, { title: 'v1' });
    const change = {
      name: ' Play ',
      hide_closed_list: true,
      milestone_id: milestone.id,
      assignee_id: user.id,
      labels: ['fun'],
      weight: 3,
    };
    world.join(user, project, Reporter);
    const changed = await world.inProject(updateProjectBoard, project, user, Reporter, { ...on, ...change });
    expect(changed).toMatchObject({
      name: 'Play',
      hide_backlog_list: false,
      hide_closed_list: true,
      milestone,
      assignee: { id: user.id },
      labels: [{ name: 'fun' }],
      weight: 3,
    });
    const less = { ...on, milestone_id: null, assignee_id: null, labels: [], weight: null };
    await world.inProject(updateProjectBoard, project, user, Reporter, less);
    expect(await get()).toMatchObject({ name: 'Play', milestone: null, assignee: null, labels: [], weight: null });
    expect((await world.inProject(listProjectBoards, project, user, None, {})).items).toEqual([await get()]);
    await world.inProject(deleteProjectBoard, project, user, Reporter, on);
    await expect(get()).rejects.toMatchObject(failing('common.not_found'));
    await expect(world.inProject(deleteProjectBoard, project, user, Reporter, on)).rejects.toMatchObject(
      failing('common.not_found'),
    );
  });

  it('is of its project only, and not written to in an archived one', async () => {
    const project = world.project();
    const { on, user } = await boardIn(project);
    await expect(world.inProject(getProjectBoard, world.project(), user, Owner, on)).rejects.toMatchObject(
      failing('common.not_found'),
    );
    const archived = { ...project, isArchived: true };
    for (const ask of [
      world.inProject(createProjectBoard, archived, user, Owner, { name: 'More' }),
      world.inProject(updateProjectBoard, archived, user, Owner, { ...on, name: 'More' }),
      world.inProject(createProjectBoardList, archived, user, Owner, { ...on, label_id: 1 }),
      world.inProject(moveProjectBoardList, archived, user, Owner, { ...on, list_id: 1, position: 0 }),
      world.inProject(deleteProjectBoardList, archived, user, Owner, { ...on, list_id: 1 }),
      world.inProject(deleteProjectBoard, archived, user, Owner, on),
    ])
      await expect(ask).rejects.toMatchObject(failing('project.archived'));
  });

  it('has lists of labels, users and milestones, which can be moved and deleted', async () => {
    const project = world.project();
    const { add, move, remove, names, user, on } = await boardIn(project);
    world.join(user, project, Reporter);
    const milestone = await world.inProject(createProjectMilestone, project, user, Owner, { title: 'v1' });
    const first = await add({ label_id: await labelOf(project, 'doing') });
    expect(first).toMatchObject({ position: 0, label: { name: 'doing', color: '#112233' } });
    const second = await add({ assignee_id: user.id });
    await add({ milestone_id: milestone.id });
    expect(await names()).toEqual(['doing', user.username, 'v1']);
    expect(await move(first.id, 2)).toMatchObject({ id: first.id, position: 2 });
    expect(await names()).toEqual([user.username, 'v1', 'doing']);
    await expect(move(first.id, 3)).rejects.toMatchObject(failing('board.list_not_moved'));
    await remove(second.id);
    expect(await names()).toEqual(['v1', 'doing']);
    const ask = (list_id: number) => world.inProject(getProjectBoardList, project, user, None, { ...on, list_id });
    expect(await ask(first.id)).toMatchObject({ id: first.id, position: 1 });
    await expect(ask(second.id)).rejects.toMatchObject(failing('common.not_found'));
    await expect(remove(second.id)).rejects.toMatchObject(failing('common.not_found'));
  });

  it('refuses lists of unrelated records and duplicate lists', async () => {
    const project = world.project({ visibility: 'private' });
    const { add } = await boardIn(project);
    const label_id = await labelOf(project, 'doing');
    await add({ label_id });
    await expect(add({ label_id })).rejects.toMatchObject(failing('common.invalid_record'));
    for (const [of, code] of [
      [{ label_id: await labelOf(world.project(), 'elsewhere') }, 'board.label_not_found'],
      [{ assignee_id: world.user().id }, 'board.user_not_found'],
      [{ assignee_id: 999_999_999 }, 'board.user_not_found'],
      [{ milestone_id: 999_999_999 }, 'board.milestone_not_found'],
    ] as const)
      await expect(add(of)).rejects.toMatchObject(failing(code));
  });

  it('stores each of many concurrent lists once', async () => {
    const project = world.project();
    const { add, names } = await boardIn(project);
    const ids = await Promise.all(Array.from({ length: 6 }, (_, at) => labelOf(project, `label ${at}`)));
    const answers = await Promise.allSettled([...ids, ...ids].map((label_id) => add({ label_id })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
    expect((await names()).sort()).toEqual(ids.map((_, at) => `label ${at}`));
  });

  it('loses the lists of deleted records', async () => {
    const project = world.project();
    const { add, names, get, user, on } = await boardIn(project);
    const gone = world.user();
    world.join(gone, project, Reporter);
    const { id: milestone_id } = await world.inProject(createProjectMilestone, project, user, Owner, { title: 'v1' });
    await add({ label_id: await labelOf(project, 'gone') });
    await add({ milestone_id });
    await add({ assignee_id: gone.id });
    await add({ label_id: await labelOf(project, 'kept') });
    const scope = { ...on, milestone_id, assignee_id: gone.id, labels: ['gone', 'kept'] };
    await world.inProject(updateProjectBoard, project, user, Reporter, scope);
    await world.inProject(deleteProjectLabel, project, user, Owner, { label_id: 'gone' });
    await world.inProject(deleteProjectMilestone, project, user, Owner, { milestone_id });
    await world.service.emit(userDeleted, {
      user_id: gone.id,
      username: gone.username,
      hard_delete: false,
      ghost_user_id: user.id,
    });
    await eventually(async () => (await names()).length === 1);
    expect(await names()).toEqual(['kept']);
    await eventually(async () => (await get()).assignee === null);
    expect(await get()).toMatchObject({ milestone: null, labels: [{ name: 'kept' }] });
  });

  it('keeps a list whose label is promoted to the group or copied by a transfer', async () => {
    const group = world.group();
    const project = world.project({ groupIds: [group.id] });
    const { add, names, get, user } = await boardIn(project);
    world.join(user, group, Owner);
    await add({ label_id: await labelOf(project, 'promoted') });
    await world.inProject(promoteLabel, project, user, Owner, { label_id: 'promoted' });
    expect(await names()).toEqual(['promoted']);
    const before = (await get()).lists[0]!.label!.id;
    const moved = { ...project, groupIds: [] };
    world.projects.set(project.id, moved);
    await world.service.emit(projectChanged, {
      project_id: project.id,
      full_path: project.fullPath,
      change: 'transferred',
    });
    await eventually(async () => (await get()).lists[0]?.label?.id !== before);
    expect(await names()).toEqual(['promoted']);
  });
});

describe('a board of a group', () => {
  it('has lists of ancestor labels and of members, and is deleted with the group', async () => {
    const above = world.group();
    const group = world.group({ ancestorIds: [above.id] });
    const [user, member] = [world.user(), world.user()];
    world.join(member, group, Reporter);
    const { id: label_id } = await world.inGroup(createGroupLabel, above, user, Owner, { name: 'x', color: '#fff' });
    const made = await world.inGroup(createGroupBoard, group, user, Reporter, { name: 'All' });
    expect(made).toMatchObject({ project: null, group: { id: group.id, name: group.name } });
    const add = (of: object) =>
      world.inGroup(createGroupBoardList, group, user, Reporter, { board_id: made.id, ...of });
    await add({ label_id });
    await add({ assignee_id: member.id });
    await expect(add({ assignee_id: user.id })).rejects.toMatchObject(failing('board.user_not_found'));
    const boards = async () => (await world.inGroup(listGroupBoards, group, user, None, {})).items;
    expect((await boards())[0]!.lists).toMatchObject([{ label: { name: 'x' } }, { assignee: { id: member.id } }]);
    await world.service.emit(groupDeleted, { group_id: group.id, full_path: group.fullPath });
    await eventually(async () => (await boards()).length === 0);
  });
});

it('the community edition has lists of labels only, and boards for everything', async () => {
  const [project, user] = [community.project(), community.user()];
  const input = { name: 'Work', weight: 3, hide_backlog_list: true };
  const made = await community.inProject(createProjectBoard, project, user, Reporter, input);
  expect(made).toMatchObject({ hide_backlog_list: true });
  expect(made).not.toHaveProperty('weight');
  const list = { board_id: made.id, assignee_id: user.id };
  await expect(community.inProject(createProjectBoardList, project, user, Reporter, list)).rejects.toMatchObject(
    failing('common.invalid_parameters'),
  );
});
