import {
  addGroupMember,
  addProjectMember,
  approveProjectAccessRequest,
  archiveProject,
  createGroup,
  createProject,
  denyProjectAccessRequest,
  getProjectMember,
  listMemberships,
  removeProjectMember,
  requestProjectAccess,
  searchGroupProjects,
  searchGroupUsers,
  searchProjects,
  searchProjectUsers,
  updateProjectMember,
} from '@moothall/contracts';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

// The owner of a personal namespace owns its projects, whatever the member list contains.
describe('the owner of a personal project', () => {
  it('is neither lowered nor removed by a maintainer, nor by anybody', async () => {
    const [ann, ben, root] = [
      await projects.user(),
      await projects.user(),
      await projects.user(undefined, { isAdmin: true }),
    ];
    const { id: number } = await projects.ask(ann, createProject, { name: 'tool' });
    const own = { id: String(number), user_id: ann.id };
    await projects.ask(ann, addProjectMember, { id: own.id, user_id: [ben.id], access_level: 40 });
    const before = await projects.ask(ann, getProjectMember, own);
    for (const caller of [ben, ann, root]) {
      const lower = projects.ask(caller, updateProjectMember, { ...own, access_level: 10 });
      expect((await refusal(lower)).code).toBe('common.forbidden');
      expect((await refusal(projects.ask(caller, removeProjectMember, own))).code).toBe('common.forbidden');
    }
    expect(await projects.ask(ann, getProjectMember, own)).toEqual(before);
    await projects.ask(ann, removeProjectMember, { id: own.id, user_id: ben.id });
  });
});

it('administrators see the memberships of a user', async () => {
  const [ann, ben, root] = [
    await projects.user(),
    await projects.user(),
    await projects.user(undefined, { isAdmin: true }),
  ];
  const project = await projects.ask(ann, createProject, { name: 'tool' });
  const group = await projects.ask(ann, createGroup, { name: 'Team', path: `team${ann.id}` });
  await projects.ask(ann, addProjectMember, { id: String(project.id), user_id: [ben.id], access_level: 30 });
  await projects.ask(ann, addGroupMember, { id: String(group.id), user_id: [ben.id], access_level: 20 });
  const list = (input: object = {}) => projects.ask(root, listMemberships, { id: ben.id, ...input });
  const ofGroup = { source_id: group.id, source_name: 'Team', source_type: 'Namespace', access_level: 20 };
  const ofProject = { source_id: project.id, source_name: 'tool', source_type: 'Project', access_level: 30 };
  expect(await list()).toMatchObject({ items: [ofGroup, ofProject], total: 2 });
  expect((await list({ type: 'Project' })).items).toEqual([ofProject]);
  expect((await list({ type: 'Namespace', per_page: 1 })).items).toEqual([ofGroup]);
  expect((await refusal(list({ id: 99_999_999 }))).code).toBe('user.not_found');
});

// Of a concurrent approval and denial one wins.
it('a request for access is either approved or denied', async () => {
  const ann = await projects.user();
  const { id: number } = await projects.ask(ann, createProject, { name: 'tool', visibility: 'public' });
  const id = String(number);
  for (let round = 0; round < 20; round++) {
    const ben = await projects.user();
    await projects.ask(ben, requestProjectAccess, { id });
    const on = { id, user_id: ben.id };
    const [approved, denied] = await Promise.all([
      refusal(projects.ask(ann, approveProjectAccessRequest, on)),
      refusal(projects.ask(ann, denyProjectAccessRequest, on)),
    ]);
    const member = await refusal(projects.ask(ann, getProjectMember, on));
    expect([approved.code, denied.code].filter((code) => code === 'none')).toHaveLength(1);
    expect(member.code === 'none').toBe(approved.code === 'none');
  }
});

describe('the search', () => {
  it('for members also finds inherited ones by name', async () => {
    const word = uniqueName('zaphod');
    const [ann, ben, cid] = [
      await projects.user(`ann.${word}`),
      await projects.user(`ben.${word}`),
      await projects.user(),
    ];
    const group = await projects.ask(ann, createGroup, { name: 'Team', path: `team${ann.id}` });
    const project = await projects.ask(ann, createProject, { name: 'tool', namespace_id: group.id });
    await projects.ask(ann, addProjectMember, { id: String(project.id), user_id: [ben.id], access_level: 30 });
    const find = async (search: string) => {
      const inProject = { id: String(project.id), scope: 'users', search };
      const inGroup = { ...inProject, id: String(group.id) };
      const found = [
        await projects.ask(ann, searchProjectUsers, inProject),
        await projects.ask(ann, searchGroupUsers, inGroup),
      ];
      return found.map(({ items }) => items.map(({ username }) => username));
    };
    expect(await find(word.toUpperCase())).toEqual([[ann.username, ben.username], [ann.username]]);
    expect(await find(`ben.${word}`)).toEqual([[ben.username], []]);
    expect(await find(cid.username)).toEqual([[], []]);
    const { items } = await projects.ask(ann, searchProjectUsers, {
      ...{ id: String(project.id), scope: 'users', search: word, per_page: 1 },
    });
    expect(Object.keys(items[0]!).sort()).toEqual(['avatar_url', 'id', 'name', 'state', 'username', 'web_url']);
  });

  it('for projects finds those that their lists would show', async () => {
    const word = uniqueName('marvin');
    const [ann, ben] = [await projects.user(), await projects.user()];
    const group = await projects.ask(ann, createGroup, { name: 'Team', path: `team${ann.id}`, visibility: 'public' });
    const make = (name: string, over: object) =>
      projects.ask(ann, createProject, { name: `${word} ${name}`, namespace_id: group.id, ...over });
    await make('open', { visibility: 'public' });
    await make('hidden', { visibility: 'private' });
    const { id } = await make('old', { visibility: 'public' });
    await projects.ask(ann, archiveProject, { id: String(id) });
    const find = async (caller: typeof ann, input: object = {}) => {
      const asked = { scope: 'projects', search: word, ...input };
      const everywhere = await projects.ask(caller, searchProjects, asked);
      const inGroup = await projects.ask(caller, searchGroupProjects, { id: String(group.id), ...asked });
      const names = [everywhere, inGroup].map(({ items }) => items.map(({ name }) => name.replace(`${word} `, '')));
      expect(names[0]).toEqual(names[1]);
      return names[0];
    };
    expect(await find(ann)).toEqual(['hidden', 'open']);
    expect(await find(ben)).toEqual(['open']);
    expect(await find(ben, { include_archived: true, sort: 'asc' })).toEqual(['open', 'old']);
    expect(await find(ann, { search: `${word} hid` })).toEqual(['hidden']);
    expect(await find(ann, { search: `${word}.*` })).toEqual([]);
  });
});

it('valid users of a list are added, and the answer explains the others', async () => {
  const [ann, ben, cleo] = [await projects.user(), await projects.user(), await projects.user()];
  const { id: number } = await projects.ask(ann, createProject, { name: 'tool' });
  const id = String(number);
  const add = (user_id: number[]) => projects.ask(ann, addProjectMember, { id, user_id, access_level: 30 });
  await add([ben.id]);
  expect(await add([ben.id, cleo.id, 999_999])).toEqual({
    status: 'error',
    message: { [ben.username]: 'Member already exists', 999999: '404 User Not Found' },
  });
  expect(await projects.ask(ann, getProjectMember, { id, user_id: cleo.id })).toMatchObject({ access_level: 30 });
  expect(await add([(await projects.user()).id, (await projects.user()).id])).toEqual({ status: 'success' });
});
