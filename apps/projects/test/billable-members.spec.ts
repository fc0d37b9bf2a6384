import {
  addGroupMember,
  addProjectMember,
  createGroup,
  createProject,
  getAnyProjectMember,
  listBillableMembers,
  listBillableMemberships,
  listIndirectMemberships,
  removeBillableMember,
  shareProject,
} from '@moothall/contracts';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

let projects: ProjectsUnderTest;
beforeAll(async () => {
  projects = await startProjects();
});
afterAll(() => projects?.stop());

/**
 * A group with a subgroup, a project in that, members of each, and members of a group that the project is shared with.
 */
async function newPlace() {
  const [owner, inGroup, inProject, invited] = [
    await projects.user(uniqueName('owner')),
    await projects.user(uniqueName('ingroup')),
    await projects.user(uniqueName('inproject')),
    await projects.user(uniqueName('invited')),
  ];
  const make = (stem: string, parent_id?: number) => {
    const path = uniqueName(stem);
    return projects.ask(owner, createGroup, { name: path, path, ...(parent_id && { parent_id }) });
  };
  const top = await make('top');
  const sub = await make('sub', top.id);
  const guests = await make('guests');
  const project = await projects.ask(owner, createProject, { name: 'tool', namespace_id: sub.id });
  const id = String(top.id);
  await projects.ask(owner, addGroupMember, { id: String(sub.id), user_id: [inGroup.id], access_level: 20 });
  await projects.ask(owner, addProjectMember, { id: String(project.id), user_id: [inGroup.id], access_level: 30 });
  await projects.ask(owner, addProjectMember, { id: String(project.id), user_id: [inProject.id], access_level: 10 });
  await projects.ask(owner, addGroupMember, { id: String(guests.id), user_id: [invited.id], access_level: 30 });
  await projects.ask(owner, shareProject, { id: String(project.id), group_id: guests.id, group_access: 20 });
  return { owner, inGroup, inProject, invited, id, top, sub, guests, project };
}

it('everybody counts once, by how they are members', async () => {
  const { owner, inGroup, inProject, invited, id } = await newPlace();
  const { items, total } = await projects.ask(owner, listBillableMembers, { id });
  expect(total).toBe(4);
  const facts = items.map((one) => [one.id, one.membership_type, one.removable, one.is_last_owner]);
  expect(facts.sort()).toEqual(
    [
      [owner.id, 'group_member', true, true],
      [inGroup.id, 'group_member', true, false],
      [inProject.id, 'project_member', true, false],
      [invited.id, 'project_invite', false, false],
    ].sort(),
  );
  const byLevel = await projects.ask(owner, listBillableMembers, { id, sort: 'access_level_desc', per_page: 2 });
  expect(byLevel.items.map((one) => one.id)).toEqual([owner.id, inGroup.id]);
  const found = await projects.ask(owner, listBillableMembers, { id, search: inProject.username.slice(0, -1) });
  expect(found.items.map((one) => one.id)).toContain(inProject.id);
  expect(found.items.map((one) => one.id)).not.toContain(owner.id);
  const refused = projects.ask(inGroup, listBillableMembers, { id });
  expect((await refusal(refused)).code).toBe('common.forbidden');
});

it('bots do not count', async () => {
  const { owner, id } = await newPlace();
  const bot = await projects.user(uniqueName('bot'));
  projects.bots.add(bot.id);
  await projects.ask(owner, addGroupMember, { id, user_id: [bot.id], access_level: 10 });
  const { items } = await projects.ask(owner, listBillableMembers, { id });
  expect(items.map((one) => one.id)).not.toContain(bot.id);
});

it('memberships contain their group or project, direct and inherited', async () => {
  const { owner, inGroup, invited, id, sub, guests, project } = await newPlace();
  const { items } = await projects.ask(owner, listBillableMemberships, { id, user_id: inGroup.id });
  const [inSub, below] = items;
  expect(inSub).toMatchObject({
    ...{ source_id: sub.id, source_full_name: sub.full_name, expires_at: null },
    access_level: { string_value: 'Reporter', integer_value: 20 },
  });
  expect(inSub?.source_members_url).toMatch(new RegExp(`/groups/${sub.full_path}/-/group_members$`));
  expect(below).toMatchObject({
    source_id: project.id,
    access_level: { string_value: 'Developer', integer_value: 30 },
  });
  const ofInvited = { id, user_id: invited.id };
  expect((await refusal(projects.ask(owner, listBillableMemberships, ofInvited))).code).toBe('common.not_found');
  const indirect = await projects.ask(owner, listIndirectMemberships, ofInvited);
  expect(indirect.items).toMatchObject([{ source_id: guests.id, access_level: { integer_value: 30 } }]);
});

it('a removed user is no member of the group and of everything below it', async () => {
  const { owner, inGroup, invited, id, project } = await newPlace();
  await projects.ask(owner, removeBillableMember, { id, user_id: inGroup.id });
  const { items } = await projects.ask(owner, listBillableMembers, { id });
  expect(items.map((one) => one.id)).not.toContain(inGroup.id);
  const below = { id: String(project.id), user_id: inGroup.id };
  expect((await refusal(projects.ask(owner, getAnyProjectMember, below))).code).toBe('common.not_found');
  const again = projects.ask(owner, removeBillableMember, { id, user_id: inGroup.id });
  expect((await refusal(again)).code).toBe('common.not_found');
  const ofInvited = projects.ask(owner, removeBillableMember, { id, user_id: invited.id });
  expect((await refusal(ofInvited)).code).toBe('billable_member.invited');
  const last = projects.ask(owner, removeBillableMember, { id, user_id: owner.id });
  expect((await refusal(last)).code).toBe('member.last_owner');
  const { total } = await projects.ask(owner, listBillableMembers, { id });
  expect(total).toBe(3);
});

it('only top-level groups are accepted', async () => {
  const { owner, sub } = await newPlace();
  const id = String(sub.id);
  const asked = [
    projects.ask(owner, listBillableMembers, { id }),
    projects.ask(owner, listBillableMemberships, { id, user_id: owner.id }),
    projects.ask(owner, listIndirectMemberships, { id, user_id: owner.id }),
    projects.ask(owner, removeBillableMember, { id, user_id: owner.id }),
  ];
  for (const one of asked) expect((await refusal(one)).code).toBe('billable_member.not_at_top');
});
