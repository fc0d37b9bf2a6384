import {
  addGroupMember,
  addProjectMember,
  archiveProject,
  createGroup,
  createProject,
  getGroup,
  getProject,
  getProjectStorage,
  housekeepProject,
  importProjectMembers,
  issueChanged,
  listGroupTransferLocations,
  listInvitedGroups,
  listProjectGroups,
  listProjectMembers,
  listProjectTransferLocations,
  listShareLocations,
  listStorages,
  maintainRepository,
  namespaceExists,
  openIssueCounts,
  projectErrors,
  repositoryLocation,
  resolveGroup,
  scheduleStorageMove,
  shareProject,
  storageMoveErrors,
  updateProject,
} from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

const newGroup = async (caller: Parameters<ProjectsUnderTest['ask']>[0], over: object = {}) => {
  const path = uniqueName('group');
  return projects.ask(caller, createGroup, { name: path, path, ...over });
};
const idsOf = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id);

describe('groups around a project', () => {
  it('are those it is in, those it is shared with, and those it could be shared with or moved to', async () => {
    const ann = await projects.user();
    const [home, team] = [await newGroup(ann), await newGroup(ann)];
    const project = await projects.ask(ann, createProject, { name: 'tool', namespace_id: home.id });
    const id = String(project.id);
    // This instance has no container registry.
    expect(project).not.toHaveProperty('container_registry_image_prefix');
    expect(idsOf(await projects.ask(ann, listProjectGroups, { id }))).toEqual([home.id]);
    expect(idsOf(await projects.ask(ann, listShareLocations, { id }))).toEqual([team.id]);
    expect(idsOf(await projects.ask(ann, listProjectTransferLocations, { id }))).toEqual([team.id]);
    await projects.ask(ann, shareProject, { id, group_id: team.id, group_access: 20 });
    expect(idsOf(await projects.ask(ann, listInvitedGroups, { id }))).toEqual([team.id]);
    expect(idsOf(await projects.ask(ann, listShareLocations, { id }))).toEqual([]);
    const around = await projects.ask(ann, listProjectGroups, { id, with_shared: true, search: team.path });
    expect(around.items).toMatchObject([{ id: team.id, full_path: team.path }]);
    const strong = await projects.ask(ann, listProjectGroups, { id, with_shared: true, shared_min_access_level: 30 });
    expect(idsOf(strong)).toEqual([home.id]);
  });

  it('are no secret groups, and only groups in which the caller may create', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const [hidden, strict] = [await newGroup(ann), await newGroup(ann, { project_creation_level: 'maintainer' })];
    await projects.ask(ann, addGroupMember, { id: String(strict.id), user_id: [ben.id], access_level: 30 });
    const project = await projects.ask(ben, createProject, { name: 'own', visibility: 'public' });
    const id = String(project.id);
    expect(idsOf(await projects.ask(ben, listProjectTransferLocations, { id }))).toEqual([]);
    expect(idsOf(await projects.ask(ben, listShareLocations, { id }))).not.toContain(hidden.id);
    const own = await newGroup(ben);
    const groupId = String(own.id);
    expect(idsOf(await projects.ask(ben, listGroupTransferLocations, { id: groupId }))).toEqual([]);
    const below = await newGroup(ben, { parent_id: own.id });
    expect(idsOf(await projects.ask(ben, listGroupTransferLocations, { id: String(below.id) }))).toEqual([]);
    const other = await newGroup(ben);
    expect(idsOf(await projects.ask(ben, listGroupTransferLocations, { id: groupId }))).toEqual([other.id]);
  });
});

describe('a private group', () => {
  it('is readable for readers of a project below it, and not for others', async () => {
    const [ann, ben, cat] = [await projects.user(), await projects.user(), await projects.user()];
    const top = await newGroup(ann);
    const below = await newGroup(ann, { parent_id: top.id });
    const project = await projects.ask(ann, createProject, { name: 'inside', namespace_id: below.id });
    const id = String(top.id);
    expect((await refusal(projects.ask(ben, getGroup, { id }))).code).toBe('group.not_found');
    await projects.ask(ann, addProjectMember, { id: String(project.id), user_id: [ben.id], access_level: 10 });
    expect((await projects.ask(ben, getGroup, { id })).id).toBe(top.id);
    expect((await refusal(projects.ask(cat, getGroup, { id }))).code).toBe('group.not_found');
    const asked = (user_id: number | null) => projects.client.call(resolveGroup, { group: id, user_id });
    expect((await asked(ben.id)).group).toMatchObject({ accessLevel: 0, readsBelow: true });
    expect((await asked(null)).group.readsBelow).toBeUndefined();
  });
});

describe('members of another project', () => {
  it('are imported, at most at the level of the importer, and by maintainers of both', async () => {
    const [ann, ben, cat] = [await projects.user(), await projects.user(), await projects.user()];
    const [from, to] = [
      await projects.ask(ann, createProject, { name: 'from' }),
      await projects.ask(ann, createProject, { name: 'to' }),
    ];
    await projects.ask(ann, addProjectMember, { id: String(from.id), user_id: [ben.id], access_level: 20 });
    await projects.ask(ann, addProjectMember, { id: String(from.id), user_id: [cat.id], access_level: 40 });
    await projects.ask(ann, addProjectMember, { id: String(to.id), user_id: [ben.id], access_level: 30 });
    const input = { id: String(to.id), source_id: String(from.id) };
    expect(await projects.ask(ann, importProjectMembers, input)).toEqual({ status: 'success' });
    const { items } = await projects.ask(ann, listProjectMembers, { id: String(to.id) });
    const levels = new Map(items.map((member) => [member.id, member.access_level]));
    expect([levels.get(ben.id), levels.get(cat.id)]).toEqual([30, 40]);
    const own = await projects.ask(ben, createProject, { name: 'own' });
    const stolen = { id: String(own.id), source_id: String(from.id) };
    expect((await refusal(projects.ask(ben, importProjectMembers, stolen))).code).toBe(projectErrors.notFound.code);
  });
});

describe('open issues', () => {
  const issue = (project_id: number) => ({
    id: 1,
    iid: 1,
    project_id,
    title: 'x',
    description: null,
    state: 'opened' as const,
    confidential: false,
    author_id: 1,
    assignee_ids: [],
    label_ids: [],
    milestone_id: null,
    created_at: '2026-01-02T03:04:05.000Z',
    updated_at: '2026-01-02T03:04:05.000Z',
  });

  it('are counted once for a burst of changes, and confidential ones shown to reporters', async () => {
    const [ann, ben] = [await projects.user(), await projects.user()];
    const project = await projects.ask(ann, createProject, { name: 'counted', visibility: 'public' });
    const id = String(project.id);
    const asked: number[][] = [];
    projects.respond(openIssueCounts, ({ project_ids }) => {
      asked.push(project_ids);
      return project_ids.map((project_id) => ({ project_id, open: 7, confidential: 2 }));
    });
    const burst = Array.from({ length: 10 }, () =>
      projects.emit(issueChanged, { action: 'open', user_id: ann.id, issue: issue(project.id) } as never),
    );
    await Promise.all(burst);
    const count = async (user: typeof ann) => (await projects.ask(user, getProject, { id })).open_issues_count;
    await eventually(async () => (await count(ann)) === 7, 'the count');
    expect(await count(ben)).toBe(5);
    expect(asked.length).toBeLessThan(burst.length);
    await projects.ask(ann, updateProject, { id, issues_access_level: 'disabled' });
    expect(await count(ann)).toBeUndefined();
  });

  it('are counted once for each burst of events, also if others arrive meanwhile', async () => {
    const ann = await projects.user();
    const project = await projects.ask(ann, createProject, { name: 'busy' });
    let asked = 0;
    projects.respond(openIssueCounts, ({ project_ids }) =>
      project_ids.map((project_id) => ({ project_id, open: ++asked, confidential: 0 })),
    );
    for (const burst of [1, 2, 3]) {
      await projects.emit(issueChanged, { action: 'open', user_id: ann.id, issue: issue(project.id) } as never);
      const count = async () => (await projects.ask(ann, getProject, { id: String(project.id) })).open_issues_count;
      await eventually(async () => (await count())! >= burst, 'the count');
      expect(await count()).toBe(burst);
    }
  });
});

describe('the repository of a project', () => {
  it('is optimised, and its storage returned', async () => {
    const ann = await projects.user(undefined, { isAdmin: true });
    const project = await projects.ask(ann, createProject, { name: 'kept' });
    const id = String(project.id);
    const maintained: number[] = [];
    projects.respond(maintainRepository, ({ project_id }) => {
      maintained.push(project_id);
      return undefined as never;
    });
    projects.respond(repositoryLocation, () => ({ disk_path: '@hashed/aa/bb/x' }));
    await projects.ask(ann, housekeepProject, { id });
    expect(maintained).toEqual([project.id]);
    const place = await projects.ask(ann, getProjectStorage, { id });
    expect(place).toMatchObject({
      disk_path: '@hashed/aa/bb/x',
      repository_storage: 'default',
      project_id: project.id,
    });
  });

  // Regression: 503.
  it('is created on an existing storage', async () => {
    const ann = await projects.user(undefined, { isAdmin: true });
    projects.respond(listStorages, () => ({ names: ['default', 'second'] }));
    const make = (repository_storage: string) =>
      projects.ask(ann, createProject, { name: 'placed', repository_storage });
    expect((await refusal(make('nowhere'))).message).toEqual({ repository_storage: ['is not included in the list'] });
    expect(await make('default')).toMatchObject({ repository_storage: 'default' });
  });

  it('moves when another storage is set, and changes nothing if that does not exist', async () => {
    const ann = await projects.user(undefined, { isAdmin: true });
    const project = await projects.ask(ann, createProject, { name: 'moving' });
    const id = String(project.id);
    const wanted: unknown[] = [];
    projects.respond(scheduleStorageMove, (input) => {
      wanted.push(input);
      return storageMoveErrors.destinationUnknown();
    });
    const refused = projects.ask(ann, updateProject, { id, repository_storage: 'nowhere', description: 'new' });
    expect((await refusal(refused)).code).toBe('storage_move.destination_unknown');
    expect(wanted).toEqual([{ id, destination_storage_name: 'nowhere' }]);
    expect((await projects.ask(ann, getProject, { id })).description).toBeNull();
    await projects.ask(ann, updateProject, { id, repository_storage: 'default', description: 'new' });
    expect(wanted).toHaveLength(1);
    await projects.ask(ann, archiveProject, { id });
  });
});

it('a path in use is returned with a similar free one', async () => {
  const ann = await projects.user();
  const group = await newGroup(ann);
  expect(await projects.ask(ann, namespaceExists, { id: group.path })).toEqual({
    exists: true,
    suggests: [`${group.path}1`],
  });
  expect((await projects.ask(ann, namespaceExists, { id: uniqueName('free') })).exists).toBe(false);
});
