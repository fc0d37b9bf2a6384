import { newUser, uniqueName } from '../server/connection';

it('users set their notification levels, global and per place', async () => {
  const user = await newUser();
  const { NotificationSettings } = user.client;
  const project = await user.client.Projects.create({ name: uniqueName('p'), visibility: 'public' });
  const group = await user.client.Groups.create(uniqueName('g'), uniqueName('g'));
  expect(await NotificationSettings.show()).toMatchObject({ level: 'participating' });
  expect(await NotificationSettings.edit({ level: 'watch' })).toMatchObject({ level: 'watch' });
  expect(await NotificationSettings.show({ projectId: project.id })).toEqual({ level: 'global' });
  const custom = await NotificationSettings.edit({ projectId: project.id, level: 'custom', newIssue: true });
  expect(custom).toMatchObject({ level: 'custom', events: { new_issue: true, new_note: false } });
  expect(await NotificationSettings.edit({ groupId: group.id, level: 'mention' })).toEqual({ level: 'mention' });
  const other = await newUser();
  expect(await other.client.NotificationSettings.show({ projectId: project.id })).toEqual({ level: 'global' });
  await expect(other.client.NotificationSettings.show({ groupId: group.id })).rejects.toThrow(/404/);
});
