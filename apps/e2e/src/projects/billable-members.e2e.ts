import { newUser, uniqueName } from '../server/connection';
import { statusOf } from './status-of';

/* Billable members of a group, by @gitbeaker/rest's GroupMembers. */

it('billable members are listed with their memberships, and removed', async () => {
  const [owner, ann, ben] = await Promise.all([newUser('owner'), newUser('ann'), newUser('ben')]);
  const { GroupMembers, Groups, ProjectMembers, Projects } = owner.client;
  const name = uniqueName('team');
  const group = await Groups.create(name, name, { visibility: 'private' });
  const project = await Projects.create({ name: 'work', namespaceId: group.id, visibility: 'private' });
  await GroupMembers.add(group.id, 10, { userId: ann.id });
  await ProjectMembers.add(project.id, 30, { userId: ann.id });
  await ProjectMembers.add(project.id, 30, { userId: ben.id });
  const listed = await GroupMembers.allBillable(group.id, {});
  expect(listed.map((one) => [one.id, one.membership_type]).sort()).toEqual(
    [
      [owner.id, 'group_member'],
      [ann.id, 'group_member'],
      [ben.id, 'project_member'],
    ].sort(),
  );
  expect(listed.find(({ id }) => id === ann.id)).toMatchObject({ username: ann.username, removable: true });
  expect(await GroupMembers.allBillableMemberships(group.id, ann.id)).toMatchObject([
    { source_id: group.id, source_full_name: name, access_level: { string_value: 'Guest', integer_value: 10 } },
    { source_id: project.id, access_level: { string_value: 'Developer', integer_value: 30 } },
  ]);
  expect(await statusOf(ann.client.GroupMembers.allBillable(group.id, {}))).toBe(403);
  await GroupMembers.removeBillable(group.id, ann.id);
  expect(await statusOf(ann.client.Projects.show(project.id))).toBe(404);
  expect(await statusOf(GroupMembers.removeBillable(group.id, ann.id))).toBe(404);
  expect(await statusOf(GroupMembers.removeBillable(group.id, owner.id))).toBe(403);
  expect((await GroupMembers.allBillable(group.id, {})).map(({ id }) => id).sort()).toEqual([owner.id, ben.id].sort());
});
