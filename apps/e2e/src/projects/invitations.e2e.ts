import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Invitations by email address, and broadcast messages. */

it('an invited user becomes a member when the account is created', async () => {
  const owner = await newUser();
  const group = await owner.client.Groups.create(uniqueName('g'), uniqueName('g'), { visibility: 'private' });
  const project = await owner.client.Projects.create({ name: uniqueName('p'), visibility: 'private' });
  const username = uniqueName('invited');
  const email = `${username}@example.com`;
  expect(await owner.client.GroupInvitations.add(group.id, 20, { email })).toEqual({ status: 'success' });
  expect(await owner.client.ProjectInvitations.add(project.id, 30, { email })).toEqual({ status: 'success' });
  expect(await owner.client.GroupInvitations.all(group.id)).toMatchObject([{ invite_email: email, access_level: 20 }]);
  const changed = await owner.client.GroupInvitations.edit(group.id, email, { accessLevel: 30 });
  expect(changed).toMatchObject({ access_level: 30 });
  const other = `${uniqueName('other')}@example.com`;
  await owner.client.ProjectInvitations.add(project.id, 10, { email: other });
  await owner.client.ProjectInvitations.remove(project.id, other);
  await expect(owner.client.ProjectInvitations.remove(project.id, other)).rejects.toThrow(/404/);
  const account = { email, username, name: username, password: `secret-${username}`, skipConfirmation: true };
  const invited = await root.Users.create(account);
  await until('the memberships', async () => {
    const members = await owner.client.GroupMembers.all(group.id);
    const own = await owner.client.ProjectMembers.all(project.id);
    return [members, own].every((all) => all.some((member) => member.id === invited.id && member.access_level === 30));
  });
  expect(await owner.client.ProjectInvitations.all(project.id)).toEqual([]);
  await expect((await newUser()).client.GroupInvitations.all(group.id)).rejects.toThrow(/404/);
});

it('administrators broadcast messages, and read statistics', async () => {
  const user = await newUser();
  const message = { message: 'Moved on Sunday', targetAccessLevels: [30], targetPath: '/nowhere' };
  const made = await root.BroadcastMessages.create(message);
  expect(await user.client.BroadcastMessages.show(made.id)).toMatchObject({
    ...{ message: 'Moved on Sunday', active: true, target_access_levels: [30] },
  });
  await root.BroadcastMessages.edit(made.id, { message: 'Moved' });
  expect(await user.client.BroadcastMessages.all()).toContainEqual(expect.objectContaining({ message: 'Moved' }));
  await expect(user.client.BroadcastMessages.remove(made.id)).rejects.toThrow(/403/);
  await root.BroadcastMessages.remove(made.id);
  await expect(root.BroadcastMessages.show(made.id)).rejects.toThrow(/404/);
  const statistics = await root.ApplicationStatistics.show();
  expect(Number(String(statistics.users).replace(/,/g, ''))).toBeGreaterThan(1);
  await expect(user.client.ApplicationStatistics.show()).rejects.toThrow(/403/);
});
