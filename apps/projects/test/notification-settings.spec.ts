import {
  approveProjectAccessRequest,
  createGroup,
  createProject,
  denyProjectAccessRequest,
  getGroupNotificationSettings,
  getNotificationSettings,
  getProject,
  getProjectNotificationSettings,
  notificationEvents,
  requestProjectAccess,
  updateGroupNotificationSettings,
  updateNotificationSettings,
  updateProjectNotificationSettings,
  userDeleted,
} from '@moothall/contracts';
import { eventually, itWithoutFaults, shareBetweenTests } from '@moothall/testing';
import { refusal, startProjects, uniqueName } from './projects-under-test';

const projects = shareBetweenTests(() => startProjects());

async function withProject() {
  const ann = await projects.user();
  const path = uniqueName('group');
  const group = await projects.ask(ann, createGroup, { name: path, path, visibility: 'public' });
  const made = { name: uniqueName('tool'), namespace_id: group.id, visibility: 'public' as const };
  const { id } = await projects.ask(ann, createProject, made);
  return { ann, id: String(id), groupId: String(group.id) };
}
const mailTo = (address: string, word: string) =>
  projects.mails().some((mail) => mail.includes(`To: ${address}`) && mail.includes(word));

it('begin as everybody has them, and are the caller’s own', async () => {
  const { ann, id, groupId } = await withProject();
  expect(await projects.ask(ann, getNotificationSettings, {})).toEqual({
    level: 'participating',
    notification_email: ann.email,
  });
  expect(await projects.ask(ann, getProjectNotificationSettings, { id })).toEqual({ level: 'global' });
  const watched = await projects.ask(ann, updateProjectNotificationSettings, { id, level: 'watch' });
  expect(watched).toEqual({ level: 'watch' });
  const custom = { id: groupId, level: 'custom' as const, new_note: true };
  const { level, events } = await projects.ask(ann, updateGroupNotificationSettings, custom);
  expect([level, events?.new_note, events?.new_issue]).toEqual(['custom', true, false]);
  expect(Object.keys(events ?? {})).toEqual([...notificationEvents]);
  const ben = await projects.user();
  expect(await projects.ask(ben, getGroupNotificationSettings, { id: groupId })).toEqual({ level: 'global' });
  const { permissions } = await projects.ask(ann, getProject, { id });
  expect(permissions).toMatchObject({ group_access: { notification_level: 5 } });
});

it('use only a confirmed address of the user', async () => {
  const [ann, ben] = [await projects.user(), await projects.user()];
  const other = projects.ask(ann, updateNotificationSettings, { notification_email: ben.email });
  expect((await refusal(other)).code).toBe('common.invalid_record');
  const own = await projects.ask(ann, updateNotificationSettings, { notification_email: ann.email.toUpperCase() });
  expect(own).toEqual({ level: 'participating', notification_email: ann.email.toUpperCase() });
});

it('apply to mails about access requests', async () => {
  const { ann, id, groupId } = await withProject();
  const ask = async () => {
    const ben = await projects.user();
    await projects.ask(ben, requestProjectAccess, { id });
    return ben;
  };
  await projects.ask(ann, updateGroupNotificationSettings, { id: groupId, level: 'disabled' });
  const first = await ask();
  // The nearest setting wins.
  await projects.ask(ann, updateProjectNotificationSettings, { id, level: 'watch' });
  const second = await ask();
  await eventually(() => mailTo(ann.email, second.username), 'the mail');
  expect(mailTo(ann.email, first.username)).toBe(false);
  await projects.ask(first, updateNotificationSettings, { level: 'disabled' });
  await projects.ask(ann, approveProjectAccessRequest, { id, user_id: first.id });
  await projects.ask(ann, denyProjectAccessRequest, { id, user_id: second.id });
  await eventually(() => mailTo(second.email, 'denied'), 'the mail');
  expect(mailTo(first.email, 'granted')).toBe(false);
});

it('are deleted with their user', async () => {
  const ann = await projects.user();
  await projects.ask(ann, updateNotificationSettings, { level: 'watch' });
  const { id: user_id, username } = ann;
  await projects.emit(userDeleted, { user_id, username, hard_delete: false, ghost_user_id: 1 });
  await eventually(
    async () => (await projects.ask(ann, getNotificationSettings, {})).level === 'participating',
    'the end of the settings',
  );
});

itWithoutFaults('two concurrent changes are both stored', async () => {
  const { ann, id } = await withProject();
  await Promise.all([
    projects.ask(ann, updateProjectNotificationSettings, { id, level: 'custom' }),
    projects.ask(ann, updateProjectNotificationSettings, { id, new_issue: true }),
    projects.ask(ann, updateProjectNotificationSettings, { id, new_note: true }),
  ]);
  expect(await projects.ask(ann, getProjectNotificationSettings, { id })).toMatchObject({
    level: 'custom',
    events: { new_issue: true, new_note: true, new_epic: false },
  });
});
