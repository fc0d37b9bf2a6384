import {
  addGroupMember,
  addProjectMember,
  type Caller,
  createGroup,
  createGroupMemberRole,
  createMemberRole,
  createProject,
  deleteGroup,
  deleteGroupMemberRole,
  deleteMemberRole,
  getAnyProjectMember,
  getGroupMember,
  getProjectMember,
  listGroupMemberRoles,
  listGroupMembers,
  listMemberRoles,
  mostMemberRoles,
  removeGroupMember,
  resolveGroup,
  resolveProject,
  transferProject,
  updateGroupMember,
  updateProjectMember,
} from '@moothall/contracts';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

/** A private group with a private project, and a guest of the group. */
async function newPlace() {
  const [owner, guest] = [await projects.user(), await projects.user()];
  const path = uniqueName('team');
  const group = await projects.ask(owner, createGroup, { name: path, path });
  const project = await projects.ask(owner, createProject, { name: 'tool', namespace_id: group.id });
  const [inGroup, inProject] = [String(group.id), String(project.id)];
  await projects.ask(owner, addGroupMember, { id: inGroup, user_id: [guest.id], access_level: 10 });
  return { owner, guest, inGroup, inProject, groupId: group.id };
}

const abilitiesIn = async (project: string, { id: user_id }: Caller) =>
  (await projects.client.call(resolveProject, { project, user_id })).project.abilities;
const abilitiesInGroup = async (group: string, { id: user_id }: Caller) =>
  (await projects.client.call(resolveGroup, { group, user_id })).group.abilities;
const auditor = { name: 'Auditor', base_access_level: 10, read_code: true };

it('a role is created, listed and deleted by owners of its group', async () => {
  const { owner, guest, inGroup, groupId } = await newPlace();
  const role = await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...auditor, description: 'Reads' });
  expect(role).toMatchObject({ name: 'Auditor', description: 'Reads', group_id: groupId, base_access_level: 10 });
  expect(Object.entries(role).filter(([, value]) => value === true)).toEqual([['read_code', true]]);
  expect(await projects.ask(owner, listGroupMemberRoles, { id: inGroup })).toEqual([role]);
  const ofGuest = projects.ask(guest, listGroupMemberRoles, { id: inGroup });
  expect((await refusal(ofGuest)).code).toBe('common.forbidden');
  const other = await newPlace();
  const elsewhere = { id: other.inGroup, member_role_id: role.id };
  expect((await refusal(projects.ask(other.owner, deleteGroupMemberRole, elsewhere))).code).toBe(
    'member_role.not_found',
  );
  await projects.ask(owner, deleteGroupMemberRole, { id: inGroup, member_role_id: role.id });
  expect(await projects.ask(owner, listGroupMemberRoles, { id: inGroup })).toEqual([]);
  const again = projects.ask(owner, deleteGroupMemberRole, { id: inGroup, member_role_id: role.id });
  expect((await refusal(again)).code).toBe('member_role.not_found');
});

it('roles belong to groups at the top, are not empty, and ten at most', async () => {
  const { owner, inGroup, groupId } = await newPlace();
  const path = uniqueName('below');
  const below = await projects.ask(owner, createGroup, { name: path, path, parent_id: groupId });
  const inBelow = projects.ask(owner, createGroupMemberRole, { id: String(below.id), ...auditor });
  expect((await refusal(inBelow)).code).toBe('member_role.not_at_top');
  const empty = projects.ask(owner, createGroupMemberRole, { id: inGroup, ...auditor, read_code: false });
  expect((await refusal(empty)).code).toBe('member_role.empty');
  for (let made = 0; made < mostMemberRoles; made += 1)
    await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...auditor });
  const more = projects.ask(owner, createGroupMemberRole, { id: inGroup, ...auditor });
  expect((await refusal(more)).code).toBe('member_role.too_many');
});

it('abilities of a role apply immediately in the group and below, and end immediately', async () => {
  const { owner, guest, inGroup, inProject } = await newPlace();
  const { id } = await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...auditor });
  const change = { id: inGroup, user_id: guest.id, access_level: 10 };
  const changed = await projects.ask(owner, updateGroupMember, { ...change, member_role_id: id });
  expect(changed.member_role).toMatchObject({ id, read_code: true, remove_group: false });
  expect(await abilitiesIn(inProject, guest)).toEqual(['read_code']);
  expect(await abilitiesInGroup(inGroup, guest)).toEqual(['read_code']);
  const inherited = await projects.ask(owner, getAnyProjectMember, { id: inProject, user_id: guest.id });
  expect(inherited.member_role).toMatchObject({ id });
  const [listed] = (await projects.ask(owner, listGroupMembers, { id: inGroup, user_ids: [guest.id] })).items;
  expect(listed?.member_role).toMatchObject({ id });
  // Other changes keep it.
  await projects.ask(owner, updateGroupMember, { ...change, expires_at: '2099-01-01' });
  expect(await abilitiesIn(inProject, guest)).toEqual(['read_code']);
  await projects.ask(owner, updateGroupMember, { ...change, member_role_id: null });
  expect(await abilitiesIn(inProject, guest)).toBeUndefined();
  const member = await projects.ask(owner, getGroupMember, { id: inGroup, user_id: guest.id });
  expect(member).not.toHaveProperty('member_role');
  expect(member.expires_at).toBe('2099-01-01');
});

it('a role ends with its level, and does not return with it', async () => {
  const { owner, guest, inGroup, inProject } = await newPlace();
  const { id } = await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...auditor });
  const change = { id: inGroup, user_id: guest.id };
  const otherLevel = projects.ask(owner, updateGroupMember, { ...change, access_level: 20, member_role_id: id });
  expect((await refusal(otherLevel)).code).toBe('member_role.other_base');
  await projects.ask(owner, updateGroupMember, { ...change, access_level: 10, member_role_id: id });
  await projects.ask(owner, updateGroupMember, { ...change, access_level: 20 });
  expect(await abilitiesIn(inProject, guest)).toBeUndefined();
  await projects.ask(owner, updateGroupMember, { ...change, access_level: 10 });
  expect(await abilitiesIn(inProject, guest)).toBeUndefined();
});

it('nobody assigns a role with more rights than their own', async () => {
  const { owner, guest, inGroup, inProject } = await newPlace();
  const [maintainer, other] = [await projects.user(), await projects.user()];
  await projects.ask(owner, addProjectMember, { id: inProject, user_id: [maintainer.id], access_level: 40 });
  const keeper = { name: 'Keeper', base_access_level: 10, admin_web_hook: true };
  const [hooks, end] = [
    await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...keeper }),
    await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...keeper, remove_project: true }),
  ];
  const addition = { id: inProject, user_id: [other.id], access_level: 10 };
  const tooMuch = projects.ask(maintainer, addProjectMember, { ...addition, member_role_id: end.id });
  expect((await refusal(tooMuch)).code).toBe('common.forbidden');
  await projects.ask(maintainer, addProjectMember, { ...addition, member_role_id: hooks.id });
  expect(await abilitiesIn(inProject, other)).toEqual(['admin_web_hook']);
  expect(await abilitiesIn(inProject, guest)).toBeUndefined();
  const more = { id: inProject, user_id: other.id, access_level: 10, member_role_id: end.id };
  expect((await refusal(projects.ask(maintainer, updateProjectMember, more))).code).toBe('common.forbidden');
});

it('a member with manage_members does so up to their own level', async () => {
  const { owner, guest, inGroup } = await newPlace();
  const role = { name: 'Host', base_access_level: 10, admin_group_member: true };
  const { id } = await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...role });
  await projects.ask(owner, updateGroupMember, {
    id: inGroup,
    user_id: guest.id,
    access_level: 10,
    member_role_id: id,
  });
  const [other, developer] = [await projects.user(), await projects.user()];
  const addition = { id: inGroup, user_id: [other.id] };
  await projects.ask(owner, addGroupMember, { id: inGroup, user_id: [developer.id], access_level: 30 });
  expect((await refusal(projects.ask(guest, addGroupMember, { ...addition, access_level: 20 }))).code).toBe(
    'common.forbidden',
  );
  await projects.ask(guest, addGroupMember, { ...addition, access_level: 10 });
  for (const user of [developer, owner]) {
    const above = { id: inGroup, user_id: user.id };
    expect((await refusal(projects.ask(guest, removeGroupMember, above))).code).toBe('common.forbidden');
    const lower = projects.ask(guest, updateGroupMember, { ...above, access_level: 10 });
    expect((await refusal(lower)).code).toBe('common.forbidden');
  }
  await projects.ask(guest, removeGroupMember, { id: inGroup, user_id: other.id });
});

it('a role that is assigned cannot be deleted, wherever below the group it is assigned', async () => {
  const { owner, inGroup, inProject } = await newPlace();
  const other = await projects.user();
  const { id } = await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...auditor });
  const addition = { id: inProject, user_id: [other.id], access_level: 10, member_role_id: id };
  await projects.ask(owner, addProjectMember, addition);
  const end = () => projects.ask(owner, deleteGroupMemberRole, { id: inGroup, member_role_id: id });
  expect((await refusal(end())).code).toBe('member_role.in_use');
  await projects.ask(owner, updateProjectMember, { ...addition, user_id: other.id, member_role_id: null });
  await end();
});

it('a transfer to another group removes its roles', async () => {
  const { owner, inGroup, inProject } = await newPlace();
  const other = await projects.user();
  const { id } = await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...auditor });
  await projects.ask(owner, addProjectMember, {
    id: inProject,
    user_id: [other.id],
    access_level: 10,
    member_role_id: id,
  });
  expect(await abilitiesIn(inProject, other)).toEqual(['read_code']);
  const path = uniqueName('elsewhere');
  const elsewhere = await projects.ask(owner, createGroup, { name: path, path });
  await projects.ask(owner, transferProject, { id: inProject, namespace: String(elsewhere.id) });
  expect(await abilitiesIn(inProject, other)).toBeUndefined();
  expect(await projects.ask(owner, getProjectMember, { id: inProject, user_id: other.id })).not.toHaveProperty(
    'member_role',
  );
  const there = { id: inProject, user_id: other.id, access_level: 10, member_role_id: id };
  expect((await refusal(projects.ask(owner, updateProjectMember, there))).code).toBe('member_role.not_found');
  await projects.ask(owner, deleteGroupMemberRole, { id: inGroup, member_role_id: id });
});

it('one of a concurrent assignment and deletion of a role is refused', async () => {
  const { owner, guest, inGroup, inProject } = await newPlace();
  for (let round = 0; round < 8; round += 1) {
    const { id } = await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...auditor });
    const outcomes = await Promise.all([
      refusal(
        projects.ask(owner, updateGroupMember, {
          id: inGroup,
          user_id: guest.id,
          access_level: 10,
          member_role_id: id,
        }),
      ),
      refusal(projects.ask(owner, deleteGroupMemberRole, { id: inGroup, member_role_id: id })),
    ]);
    const [given, ended] = outcomes.map(({ code }) => code);
    const isGiven = (await abilitiesIn(inProject, guest))?.length === 1;
    expect(isGiven).toBe(given === 'none');
    expect([
      ['none', 'member_role.in_use'],
      ['member_role.not_found', 'none'],
    ]).toContainEqual([given, ended]);
    await projects.ask(owner, updateGroupMember, {
      id: inGroup,
      user_id: guest.id,
      access_level: 10,
      member_role_id: null,
    });
    if (isGiven) await projects.ask(owner, deleteGroupMemberRole, { id: inGroup, member_role_id: id });
  }
});

it('administrators make roles for members of all groups', async () => {
  const root = await projects.user(undefined, { isAdmin: true });
  const { owner, guest, inGroup, inProject } = await newPlace();
  const role = await projects.ask(root, createMemberRole, auditor);
  expect(role.group_id).toBeNull();
  expect(await projects.ask(root, listMemberRoles, {})).toContainEqual(role);
  expect(await projects.ask(owner, listGroupMemberRoles, { id: inGroup })).toEqual([]);
  const change = { id: inGroup, user_id: guest.id, access_level: 10 };
  await projects.ask(owner, updateGroupMember, { ...change, member_role_id: role.id });
  expect(await abilitiesIn(inProject, guest)).toEqual(['read_code']);
  const end = () => projects.ask(root, deleteMemberRole, { member_role_id: role.id });
  expect((await refusal(end())).code).toBe('member_role.in_use');
  await projects.ask(owner, removeGroupMember, { id: inGroup, user_id: guest.id });
  await end();
});

it('roles are deleted with their group', async () => {
  const root = await projects.user(undefined, { isAdmin: true });
  const { owner, inGroup } = await newPlace();
  const { id } = await projects.ask(owner, createGroupMemberRole, { id: inGroup, ...auditor });
  await projects.ask(owner, deleteGroup, { id: inGroup });
  const there = await newPlace();
  const change = { id: there.inGroup, user_id: there.guest.id, access_level: 10, member_role_id: id };
  expect((await refusal(projects.ask(there.owner, updateGroupMember, change))).code).toBe('member_role.not_found');
  expect((await refusal(projects.ask(root, deleteMemberRole, { member_role_id: id }))).code).toBe(
    'member_role.not_found',
  );
});
