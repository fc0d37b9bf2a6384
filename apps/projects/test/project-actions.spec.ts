import {
  addGroupMember,
  addProjectMember,
  archiveProject,
  createForkRelation,
  createGroup,
  createProject,
  deleteForkRelation,
  deleteProject,
  forkProject,
  getLanguages,
  getProject,
  listForks,
  listProjects,
  listProjectUsers,
  listStarrers,
  projectChanged,
  repositoryFacts,
  repositoryLanguages,
  resolveGroup,
  resolveProject,
  setProjectStorage,
  starProject,
  transferGroup,
  transferProject,
  transferProjectToGroup,
  unarchiveProject,
  unstarProject,
  updateProject,
  userDeleted,
} from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

const newGroup = (owner: Parameters<typeof projects.ask>[0], over: object = {}) =>
  projects.ask(owner, createGroup, { name: 'Group', path: uniqueName('group'), ...over });

describe('archiving', () => {
  it('is for owners, and published to all services that cache the project', async () => {
    const ann = await projects.user();
    const { id: number } = await projects.ask(ann, createProject, { name: 'tool' });
    const id = String(number);
    expect(await projects.ask(ann, archiveProject, { id })).toMatchObject({ archived: true });
    const asked = await projects.client.call(resolveProject, { project: id, user_id: ann.id });
    expect(asked.project.isArchived).toBe(true);
    expect(projects.events(projectChanged).at(-1)?.data).toMatchObject({ project_id: number, change: 'updated' });
    expect((await projects.ask(ann, listProjects, { membership: true, archived: false })).items).toEqual([]);
    expect(await projects.ask(ann, unarchiveProject, { id })).toMatchObject({ archived: false });
  });
});

describe('stars', () => {
  it('count once for each user', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const { id: number } = await projects.ask(ann, createProject, { name: 'tool', visibility: 'public' });
    const id = String(number);
    await Promise.all([1, 2, 3].map(() => projects.ask(ben, starProject, { id })));
    expect(await projects.ask(ann, starProject, { id })).toMatchObject({ star_count: 2 });
    const starrers = await projects.ask(undefined, listStarrers, { id });
    expect(starrers.items.map(({ user }) => user.id)).toEqual([ann.id, ben.id]);
    expect((await projects.ask(ben, listProjects, { starred: true })).items.map((project) => project.id)).toEqual([
      number,
    ]);
    expect(await projects.ask(ben, unstarProject, { id })).toMatchObject({ star_count: 1 });
  });

  // Counters equal the number of records.
  it('count concurrent changes, and no deleted user', async () => {
    const ann = await projects.user();
    const { id: number } = await projects.ask(ann, createProject, { name: 'tool', visibility: 'public' });
    const id = String(number);
    const people = await Promise.all(Array.from({ length: 8 }, () => projects.user()));
    await Promise.all(people.map((user) => projects.ask(user, starProject, { id })));
    await Promise.all(people.slice(0, 3).map((user) => projects.ask(user, unstarProject, { id })));
    const count = async () => (await projects.ask(ann, getProject, { id })).star_count;
    expect(await count()).toBe(5);
    for (const { id: user_id, username } of people.slice(3, 5)) {
      await projects.emit(userDeleted, { user_id, username, hard_delete: false, ghost_user_id: ann.id });
    }
    await eventually(async () => (await count()) === 3);
  });
});

describe('forks', () => {
  it('share the objects and the storage of the original, and are no wider than it', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const source = await projects.ask(ann, createProject, {
      name: 'Tool',
      visibility: 'internal',
      initialize_with_readme: true,
      merge_method: 'ff',
    });
    const fork = await projects.ask(ben, forkProject, { id: String(source.id), visibility: 'public' });
    expect(fork).toMatchObject({
      path_with_namespace: `${ben.username}/tool`,
      visibility: 'internal',
      merge_method: 'ff',
      empty_repo: false,
      forked_from_project: { id: source.id },
    });
    expect(projects.repositories.get(fork.id)?.forked_from).toEqual({ project_id: source.id, storage: 'default' });
    expect(projects.lfsCopies.get(fork.id)).toBe(source.id);
    expect(await projects.ask(ann, getProject, { id: String(source.id) })).toMatchObject({ forks_count: 1 });
    const forks = await projects.ask(ann, listForks, { id: String(source.id) });
    expect(forks.items.map(({ id }) => id)).toEqual([fork.id]);
    const again = projects.ask(ben, forkProject, { id: String(source.id) });
    expect((await refusal(again)).code).toBe('common.conflict');
    await projects.ask(ann, deleteProject, { id: String(source.id) });
    const orphan = () => projects.ask(ben, getProject, { id: String(fork.id) });
    await eventually(async () => !('forked_from_project' in (await orphan())), 'the end of the relation');
  });

  it('show their original only to those who can read it', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const source = await projects.ask(ann, createProject, { name: 'tool', visibility: 'public' });
    const fork = await projects.ask(ben, forkProject, { id: String(source.id) });
    const original = async () => (await projects.ask(ben, getProject, { id: String(fork.id) })).forked_from_project;
    expect(await original()).toMatchObject({ id: source.id });
    await projects.ask(ann, updateProject, { id: String(source.id), visibility: 'private' });
    expect(await original()).toBeUndefined();
    await projects.ask(ann, addProjectMember, { id: String(source.id), user_id: [ben.id], access_level: 10 });
    expect(await original()).toMatchObject({ id: source.id });
  });

  it('are refused if forking is disabled', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const { id } = await projects.ask(ann, createProject, { name: 'tool', visibility: 'public' });
    await projects.ask(ann, updateProject, { id: String(id), forking_access_level: 'disabled' });
    expect((await refusal(projects.ask(ben, forkProject, { id: String(id) }))).code).toBe('common.forbidden');
  });

  it('are related and unrelated by hand', async () => {
    const [root, ann] = [await projects.user(undefined, { isAdmin: true }), await projects.user()];
    const source = await projects.ask(ann, createProject, { name: 'one' });
    const fork = await projects.ask(ann, createProject, { name: 'two' });
    const relation = { id: String(fork.id), forked_from_id: source.id };
    const related = await projects.ask(root, createForkRelation, relation);
    expect(related.forked_from_project).toMatchObject({ id: source.id });
    expect((await refusal(projects.ask(root, createForkRelation, relation))).code).toBe('common.conflict');
    await projects.ask(ann, deleteForkRelation, { id: String(fork.id) });
    expect(await projects.ask(ann, getProject, { id: String(source.id) })).toMatchObject({ forks_count: 0 });
  });
});

describe('transfers', () => {
  it('move a project to another namespace, and its old path redirects', async () => {
    const ann = await projects.user();
    const group = await newGroup(ann);
    const { id: number } = await projects.ask(ann, createProject, { path: 'tool' });
    const id = String(number);
    const moved = await projects.ask(ann, transferProject, { id, namespace: group.full_path });
    expect(moved).toMatchObject({ path_with_namespace: `${group.path}/tool`, namespace: { kind: 'group' } });
    expect(moved).not.toHaveProperty('owner');
    const old = await projects.client.call(resolveProject, { project: `${ann.username}/tool`, user_id: ann.id });
    expect(old).toMatchObject({ redirected: true, project: { id: number, groupIds: [group.id] } });
    expect(old.project).not.toHaveProperty('ownerId');
    const change = {
      project_id: number,
      full_path: `${group.path}/tool`,
      change: 'transferred',
      before: { full_path: `${ann.username}/tool` },
      actor_id: ann.id,
    };
    expect(projects.events(projectChanged).map(({ data }) => data)).toContainEqual(change);
    const again = projects.ask(ann, transferProject, { id, namespace: group.id });
    expect((await refusal(again)).code).toBe('transfer.refused');
  });

  it('are refused for namespaces in which the caller may not create projects, or with a used path', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const foreign = await newGroup(ben);
    const own = await newGroup(ann);
    const project = await projects.ask(ann, createProject, { path: 'tool' });
    await projects.ask(ann, createProject, { path: 'tool', namespace_id: own.id });
    const transfer = (namespace: number) => projects.ask(ann, transferProject, { id: String(project.id), namespace });
    expect((await refusal(transfer(foreign.id))).code).toBe('project.namespace_not_valid');
    expect((await refusal(transfer(own.id))).code).toBe('transfer.refused');
    const taken = projects.ask(ben, transferProjectToGroup, {
      id: String(foreign.id),
      project_id: String(project.id),
    });
    expect((await refusal(taken)).message).toBe('404 Project Not Found');
  });

  // Of two concurrent moves of one group one wins, and everything below is where the group is.
  it.each(['the same place', 'two places'])('move a group once under concurrent requests, to %s', async (where) => {
    const ann = await projects.user();
    for (let round = 0; round < 5; round++) {
      const [one, other, group] = [await newGroup(ann), await newGroup(ann), await newGroup(ann)];
      const sub = await newGroup(ann, { parent_id: group.id });
      const tool = await projects.ask(ann, createProject, { path: 'tool', namespace_id: sub.id });
      const second = where === 'the same place' ? one : other;
      const move = (to: typeof one) =>
        refusal(projects.ask(ann, transferGroup, { id: String(group.id), group_id: to.id }));
      const outcomes = await Promise.all([move(one), move(second)]);
      expect(outcomes.filter(({ code }) => code === 'none')).toHaveLength(1);
      const winner = outcomes[0]!.code === 'none' ? one : second;
      const path = `${winner.full_path}/${group.path}/${sub.path}/tool`;
      const found = await projects.client.call(resolveProject, { project: path, user_id: ann.id });
      expect(found).toMatchObject({ redirected: false, project: { id: tool.id, fullPath: path } });
      const placed = await projects.client.call(resolveGroup, {
        group: `${winner.full_path}/${group.path}`,
        user_id: ann.id,
      });
      expect(placed).toMatchObject({ redirected: false, group: { id: group.id } });
    }
  });

  it('move a group with all descendants, and add an owner at the root', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const [top, other] = [await newGroup(ann), await newGroup(ann)];
    await projects.ask(ann, addGroupMember, { id: String(other.id), user_id: [ben.id], access_level: 30 });
    const sub = await newGroup(ann, { parent_id: top.id });
    const deep = await newGroup(ann, { parent_id: sub.id });
    const project = await projects.ask(ann, createProject, { path: 'tool', namespace_id: deep.id });
    const into = (group_id?: number) => projects.ask(ann, transferGroup, { id: String(sub.id), group_id });
    expect((await refusal(into(deep.id))).code).toBe('transfer.refused');
    expect((await refusal(into(top.id))).code).toBe('transfer.refused');
    expect(await into(other.id)).toMatchObject({ full_path: `${other.path}/${sub.path}`, parent_id: other.id });
    const below = await projects.client.call(resolveProject, { project: String(project.id), user_id: ben.id });
    expect(below.project).toMatchObject({
      fullPath: `${other.path}/${sub.path}/${deep.path}/tool`,
      groupIds: [deep.id, sub.id, other.id],
      accessLevel: 30,
    });
    expect(await into()).toMatchObject({ full_path: sub.path, parent_id: null });
    const atRoot = await projects.client.call(resolveProject, {
      project: `${sub.path}/${deep.path}/tool`,
      user_id: ben.id,
    });
    expect(atRoot.project.accessLevel).toBe(0);
  });
});

describe('the storage of a project', () => {
  it('is moved by one process at a time, and published to all services that cache the project', async () => {
    const ann = await projects.user();
    const { id } = await projects.ask(ann, createProject, { name: 'tool' });
    const move = (from: string, storage: string, is_read_only: boolean) =>
      projects.client.call(setProjectStorage, { project_id: id, from, storage, is_read_only });
    await move('default', 'default', true);
    const asked = () => projects.client.call(resolveProject, { project: String(id), user_id: ann.id });
    expect((await asked()).project).toMatchObject({ storage: 'default', isReadOnly: true });
    const movers = await Promise.all([move('default', 'a', false), move('default', 'b', false)].map(refusal));
    expect(movers.map(({ code }) => code).sort()).toEqual(['common.conflict', 'none']);
    expect((await asked()).project.isReadOnly).toBe(false);
    expect(projects.events(projectChanged).filter(({ data }) => data.project_id === id)).toHaveLength(3);
  });
});

describe('facts of a project', () => {
  it('come from the repository service', async () => {
    const ann = await projects.user();
    const { id: number } = await projects.ask(ann, createProject, { name: 'tool' });
    const id = String(number);
    projects.respond(repositoryLanguages, () => ({ TypeScript: 90.5, Shell: 9.5 }));
    projects.respond(repositoryFacts, () => ({
      commit_count: 3,
      repository_size: 1000,
      wiki_size: 24,
      commit_sha: null,
    }));
    expect(await projects.ask(ann, getLanguages, { id })).toEqual({ TypeScript: 90.5, Shell: 9.5 });
    const read = await projects.ask(ann, getProject, { id, statistics: true });
    expect(read.statistics).toEqual({
      commit_count: 3,
      storage_size: 1042,
      repository_size: 1000,
      wiki_size: 24,
      uploads_size: 0,
      job_artifacts_size: 6,
      packages_size: 7,
      lfs_objects_size: 5,
    });
    const [listed] = (await projects.ask(ann, listProjects, { membership: true, statistics: true })).items;
    expect(listed?.statistics).toEqual(read.statistics);
    const users = await projects.ask(ann, listProjectUsers, { id });
    expect(users.items.map((user) => user.id)).toEqual([ann.id]);
  });
});
